/** Which programs run nothing of a project but what their words name. Of every other one that cannot be told. */

const names = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** They look at names, not at content. */
export const BLIND = names('[ test echo printf basename dirname ls cd pushd which type hash');
export const WRITERS = names('tee touch rm rmdir mkdir truncate unlink');

/** Of the shell, and programs that only read, write and print: each is asked about its words all the same. */
const PLAIN = names(`
  : [ [[ . source alias bg break builtin caller cd command continue declare dirs disown echo eval exec exit export
  false fg getopts hash jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set
  shift shopt test times trap true type typeset ulimit umask unalias unset wait
  arch b2sum base32 base64 basename basenc cat chgrp chmod chown cksum comm cp csplit cut date dd df dir dircolors
  dirname du expand expr factor fmt fold groups head hostid hostname id install join link ln logname ls md5sum mkdir
  mkfifo mknod mktemp mv nl nproc numfmt od paste pathchk pr printenv ptx readlink realpath rm rmdir seq sha1sum
  sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stty sum sync tac tail tee touch tr truncate
  tsort tty uname unexpand uniq unlink uptime users wc who whoami yes
  awk gawk mawk nawk cal clear cmp column colrm diff diff3 egrep fgrep file find fd grep hexdump iconv jq less look
  lsof more nc patch pgrep pidof pkill ps rev rg sed sdiff strings tput tree uuidgen which whereis xxd
  bzip2 bunzip2 cpio gunzip gzip tar unxz unzip xz zcat zip zstd
  curl dig host ping ssh wget nslookup
  notify-send osascript say afplay paplay aplay terminal-notifier logger wall pbcopy pbpaste xclip xsel
  getconf getent locale lscpu free vmstat iostat top
`);

/** Sub-commands of git that run nothing that a repository's settings could name. */
const PLAIN_GIT = names(`
  rev-parse symbolic-ref rev-list merge-base cat-file ls-tree ls-remote show-ref for-each-ref describe config var version
  check-ignore check-attr hash-object name-rev
`);

export const isPlainProgram = (name: string): boolean => PLAIN.has(name);

/** Why what a known program runs cannot be told; nothing for one that nobody knows. */
export function knownDoubt(name: string, words: readonly (string | undefined)[]): string | undefined {
  if (name === 'git') {
    const at = words.findIndex((word, i) => i > 0 && word?.startsWith('-') !== true && words[i - 1] !== '-C');
    return PLAIN_GIT.has(words[at] ?? '')
      ? ''
      : `git ${words[at] ?? ''} runs what .git/config and .git/hooks name`;
  }
  for (const [known, why] of DOUBTS) if (known.has(name)) return why;
  return undefined;
}

const DOUBTS: readonly (readonly [ReadonlySet<string>, string])[] = [
  [
    names('npm npx pnpm pnpx yarn bun bunx corepack node-run'),
    'runs the scripts of package.json and programs of node_modules',
  ],
  [
    names('uv uvx poetry pipenv pdm rye hatch tox nox pipx conda mamba'),
    'runs what the project’s environment holds',
  ],
  [names('bundle bundler rake rails rspec'), 'runs what the project’s Gemfile and Rakefile say'],
  [
    names('make gmake just task ninja cmake meson rake scons gradle mvn ant bazel'),
    'runs what its rules say',
  ],
  [names('cargo go rustc dotnet swift zig'), 'compiles and runs code of the project'],
  [names('composer artisan phpunit'), 'runs what composer.json says'],
  [
    names('docker podman docker-compose kubectl nix nix-shell devbox vagrant'),
    'runs in a place that is not looked into',
  ],
  [names('mise asdf direnv rbenv pyenv nodenv'), 'runs what the project’s version files say'],
  [names('pre-commit husky lefthook lint-staged'), 'runs what its settings in the project say'],
];
