/** What is known about programs that only read, print or write: which words they read, and whether they run other code. */

/**
 * `plain`: the program runs no code of a project except the code that its words name.
 * `reads`: it only reads the files that its words name.
 * `names`: it uses names of files, not their contents.
 * `writes`: its words are files that it writes.
 */
type Trait = 'plain' | 'reads' | 'names' | 'writes';

/** A program that no row contains may run anything. */
const ROWS: readonly (readonly [traits: readonly Trait[], programs: string])[] = [
  [
    ['plain', 'reads'],
    `: [[ break continue declare dirs exit export false let local popd pwd readonly return set shift true typeset
     unset wait b2sum cat cksum cmp column comm cut date df diff dir du egrep fgrep fold grep head hexdump hostname id
     jq md5sum more nl od readlink realpath sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat strings tac tail
     tr uname wc whereis whoami`,
  ],
  [['plain', 'reads', 'names'], '[ basename cd dirname echo ls printf pushd test type which'],
  [['plain', 'names'], 'hash'],
  [['plain', 'writes'], 'mkdir rm rmdir tee touch truncate unlink'],
  [['reads'], 'shasum'],
  [
    ['plain'],
    `. alias bg builtin caller command disown eval exec fg getopts jobs kill logout mapfile read readarray shopt source
     times trap ulimit umask unalias
     arch base32 base64 basenc chgrp chmod chown cp csplit dd dircolors expand expr factor fmt groups hostid install
     join link ln logname mkfifo mknod mktemp mv nproc numfmt paste pathchk pr printenv ptx seq shred shuf sort split
     stty sum sync tsort tty unexpand uniq uptime users who yes
     awk gawk mawk nawk cal clear colrm diff3 file find fd iconv less look lsof nc patch pgrep pidof pkill ps rev rg sed
     sdiff tput tree uuidgen xxd
     bzip2 bunzip2 cpio gunzip gzip tar unxz unzip xz zcat zip zstd
     curl dig host nslookup ping ssh wget
     notify-send osascript say afplay paplay aplay terminal-notifier logger wall pbcopy pbpaste xclip xsel
     getconf getent locale lscpu free vmstat iostat top`,
  ],
];

const TRAITS: ReadonlyMap<string, readonly Trait[]> = new Map(
  ROWS.flatMap(([traits, programs]) => programs.split(/\s+/).map((program) => [program, traits] as const)),
);

export const hasTrait = (program: string, trait: Trait): boolean =>
  TRAITS.get(program)?.includes(trait) === true;

/** Subcommands of git that run nothing that the settings of a repository name. */
const PLAIN_GIT: ReadonlySet<string> = new Set(
  `rev-parse symbolic-ref rev-list merge-base cat-file ls-tree ls-remote show-ref for-each-ref describe config var version
   check-ignore check-attr hash-object name-rev`.split(/\s+/),
);

/** Programs that run code which their words do not name. */
const HIDDEN: readonly (readonly [programs: string, why: string])[] = [
  [
    'npm npx pnpm pnpx yarn bun bunx corepack node-run',
    'runs the scripts of package.json and programs of node_modules',
  ],
  [
    'uv uvx poetry pipenv pdm rye hatch tox nox pipx conda mamba',
    'runs what the project’s environment holds',
  ],
  ['bundle bundler rake rails rspec', 'runs what the project’s Gemfile and Rakefile say'],
  ['make gmake just task ninja cmake meson rake scons gradle mvn ant bazel', 'runs what its rules say'],
  ['cargo go rustc dotnet swift zig', 'compiles and runs code of the project'],
  ['composer artisan phpunit', 'runs what composer.json says'],
  [
    'docker podman docker-compose kubectl nix nix-shell devbox vagrant',
    'runs in a place that is not looked into',
  ],
  ['mise asdf direnv rbenv pyenv nodenv', 'runs what the project’s version files say'],
  ['pre-commit husky lefthook lint-staged', 'runs what its settings in the project say'],
];
const HIDDEN_BY_PROGRAM = new Map(
  // The first row that contains a program applies.
  HIDDEN.toReversed().flatMap(([programs, why]) => programs.split(' ').map((program) => [program, why])),
);

/** Why it is unknown what a program runs. Empty if it runs nothing more, undefined if the program is not known. */
export function hiddenCodeOf(program: string, words: readonly (string | undefined)[]): string | undefined {
  if (program !== 'git') return HIDDEN_BY_PROGRAM.get(program);
  const at = words.findIndex((word, i) => i > 0 && word?.startsWith('-') !== true && words[i - 1] !== '-C');
  const subcommand = words[at] ?? '';
  return PLAIN_GIT.has(subcommand) ? '' : `git ${subcommand} runs what .git/config and .git/hooks name`;
}
