/** What programs do with the paths they are given, as far as it matters here. */
import { programName } from '../shell/word.ts';

/** Only look. The pattern, where there is one, says which words make them do more. */
const READERS: Readonly<Record<string, RegExp | null>> = {
  ...plain('cat ls dir head tail more grep egrep fgrep wc stat diff cmp comm cksum md5sum'),
  ...plain('sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum od hexdump strings jq du df'),
  ...plain(
    'echo printf test [ [[ true false : pwd cd pushd popd dirs realpath readlink basename dirname cut tr nl',
  ),
  ...plain(
    'tac fold column which type whereis id date whoami hostname uname sleep wait exit return break continue',
  ),
  ...plain('export declare typeset local readonly set unset shift let'),
  sort: /^-[a-z]*o|^--o/,
  less: /^-[a-zA-Z]*[oO]|^--log/i,
  zless: /^-[a-zA-Z]*[oO]|^--log/i,
  tree: /^-o/,
  file: /^-[a-z]*C|^--compile/,
  rg: /^--(?:pre|hostname-bin)/,
  ag: /^--pager/,
  bat: /^--pager/,
  find: /^-(?:delete|exec|execdir|ok|okdir|fprint\w*|fls)$/,
  git: /^--output|^-o/,
};
/** Of git only what leaves the working tree as it is. */
const GIT_READS = new Set(
  'status diff log show blame annotate ls-files ls-tree grep rev-parse rev-list cat-file describe shortlog add commit push fetch remote check-ignore check-attr'.split(
    ' ',
  ),
);
/** What they run is found and judged by itself. */
const TRANSPARENT = new Set(
  'sudo doas env time timeout nice ionice nohup command builtin stdbuf xargs parallel'.split(' '),
);
/** They hand words to others that no one sees here. */
const FEEDERS = new Set('xargs parallel read mapfile readarray'.split(' '));
/** One of their words, or their input, is a program, which may name a file in its own way. */
const CODED =
  /^(?:[gmn]?awk|g?sed|perl|python|pypy|ruby|node|deno|bun|php|lua|luajit|ed|ex|vim?|nvim|emacs|sqlite3?|duckdb|psql|mysql|jq|yq|crontab|at|batch|expect|tclsh|osascript|gdb|lldb|debugfs|r|rscript|julia|guile|racket|sbcl|elixir|erl|ghc|groovy|scala|kotlin|swift|octave|m4|pwsh|powershell)[\d.]*$/i;
const RECURSIVE = /^-[a-zA-Z]*[rR]|^--recursive/;
/** Would take along what lies below a folder they are given; only with such a word, where there is a pattern. */
const DESTROYERS: Readonly<Record<string, RegExp | null>> = {
  ...plain('mv rmdir shred rename trash trash-put mount umount'),
  rm: RECURSIVE,
  rsync: /^--del/,
  chmod: RECURSIVE,
  chattr: RECURSIVE,
  setfacl: RECURSIVE,
};
/** Modes with which the owner can still read, write and run. */
const LEAVES_USABLE = /^(?:[ugoa]*\+[rwxXst]+|0?7[0-7]{2})$/;
function plain(names: string): Record<string, null> {
  return Object.fromEntries(names.split(' ').map((name) => [name, null]));
}
const row = (table: Readonly<Record<string, RegExp | null>>, name: string) =>
  Object.hasOwn(table, name) ? table[name] : undefined;

export interface CommandWords {
  readonly name: string;
  readonly args: readonly string[];
}
export const commandWords = (words: readonly { readonly value: string }[]): CommandWords => ({
  name: programName(words[0]?.value ?? ''),
  args: words.slice(1).map(({ value }) => value),
});

export function onlyReads({ name, args }: CommandWords): boolean {
  if (TRANSPARENT.has(name)) return true;
  if (name === 'sed')
    return args[0] === '-n' && /^\d+(?:,(?:\d+|\$))?p$/.test(args[1] ?? '') && !args[2]?.startsWith('-');
  const more = row(READERS, name);
  if (more === undefined) return false;
  if (name === 'git' && !GIT_READS.has(subcommandOf(args))) return false;
  return more === null || !args.some((arg) => more.test(arg));
}

/** Which of its words, given a folder, are about everything below it. */
export function takesAlong({ name, args }: CommandWords): readonly number[] {
  const needs = row(DESTROYERS, name);
  if (needs === undefined || (needs !== null && !args.some((arg) => needs.test(arg)))) return [];
  if (name === 'rsync') return [args.length - 1];
  if (name === 'chmod' && args.some((arg) => LEAVES_USABLE.test(arg))) return [];
  const all = args.flatMap((arg, at) => (arg.startsWith('-') ? [] : [at]));
  const isInto = args.some((arg) => /^-[a-zA-Z]*t$|^--target-directory/.test(arg));
  return name === 'mv' && !isInto ? all.slice(0, -1) : all; // the last is where it goes
}

/** They look at everything below a folder they are given. */
export const looksBelow = ({ name, args }: CommandWords): boolean =>
  /^(?:rg|ag|ack|fd|fdfind|tree|locate)$/.test(name) ||
  (/^(?:[ef]?grep|ls)$/.test(name) &&
    args.some((arg) => /^-\w*[rR]|^--(?:dereference-)?recursive/.test(arg)));
/** Their first word is a program, or code, to run or to look at. */
export const runsPrograms = ({ name }: CommandWords): boolean =>
  /^(?:node|bun|deno|tsx|npx|(?:ba|da|z|fi|k)?sh|strace|ltrace|ldd|file|open)$/.test(name);
export const takesCode = ({ name }: CommandWords): boolean => CODED.test(name);
/** `fd name folder -x rm` */
export const runsOnFound = ({ name, args }: CommandWords): boolean =>
  /^fd(?:find)?$/.test(name) && args.some((arg) => /^-[xX]|^--exec/.test(arg));
export const feeds = ({ name, args }: CommandWords): boolean =>
  FEEDERS.has(name) || (name === 'printf' && args[0] === '-v');
/** A command on this machine, by a way that begins in the home folder. */
export const startsAtHome = ({ name, args }: CommandWords): boolean =>
  /^(?:ssh|rsh|mosh|sudo|su|machinectl)$/.test(name) &&
  args.some((arg) =>
    /^(?:-\w*i|-l|--login|(?:[^@\s]+@)?(?:localhost|127\.[\d.]+|::1|ip6-localhost))$/.test(arg),
  );
export const goesTo = ({ name, args }: CommandWords): string | undefined =>
  name === 'cd' || name === 'pushd' ? args.find((arg) => !/^-[LPe@n]+$/.test(arg)) : undefined;
/** Options by which a program is started in another folder, or works there: `env -C`, `git -C`, `tar -C`, `make -C`. */
const ELSEWHERE = /^(?:-C|-D|--chdir|--directory|--cwd|--prefix|--work-tree|--working-directory)$/;
const ELSEWHERE_JOINED = /^(?:-C(?=.)|--(?:chdir|directory|cwd|prefix|work-tree|working-directory)=)(.+)$/;
export const changesFolder = ({ args }: CommandWords): readonly string[] =>
  args.flatMap((arg, at) => {
    if (!arg.startsWith('-')) return [];
    const joined = ELSEWHERE_JOINED.exec(arg)?.[1];
    return joined !== undefined ? [joined] : ELSEWHERE.test(arg) ? args.slice(at + 1, at + 2) : [];
  });

/** Which of its words is a folder that what it starts calls `/`: no path named there is what it says. */
export function newRoot({ name, args }: CommandWords): number | undefined {
  const option = /^(?:proot|systemd-nspawn)$/.test(name)
    ? args.findIndex((arg) => /^(?:-[rRSD]|--rootfs|--directory)(?:=.*)?$/.test(arg))
    : -1;
  if (option !== -1) return args[option]!.includes('=') ? option : option + 1;
  if (!/^(?:chroot|arch-chroot)$/.test(name)) return undefined;
  const first = args.findIndex((arg) => !arg.startsWith('-'));
  return first === -1 ? undefined : first;
}

/** Which of its words is a folder that it fills with what only an archive, or another folder, knows. */
export function fills({ name, args }: CommandWords): number | undefined {
  /** The word behind the option, or the option itself where they are written as one. */
  const after = (option: RegExp, joined: RegExp) => {
    const at = args.findIndex((arg) => option.test(arg) || joined.test(arg));
    if (at === -1 || joined.test(args[at]!)) return at === -1 ? undefined : at;
    return at === args.length - 1 ? undefined : at + 1;
  };
  if (/^(?:bsd|g)?tar$/.test(name))
    return args.some((arg) => /^-?\w*x|^--(?:extract|get)/.test(arg))
      ? after(/^(?:-C|--directory)$/, /^(?:-C.|--directory=)/)
      : undefined;
  if (name === 'cpio')
    return args.some((arg) => /^-\w*i|^--extract/.test(arg))
      ? after(/^(?:-D|--directory)$/, /^(?:-D.|--directory=)/)
      : undefined;
  if (name === 'unzip') return after(/^-d$/, /^-d./);
  if (/^7z\w?$/.test(name)) return after(/^-o$/, /^-o./);
  if (/^dpkg(?:-deb)?$/.test(name))
    return args.some((arg) => /^-[xX]$|^--v?extract$/.test(arg)) ? args.length - 1 : undefined;
  if (/^(?:python|pypy)[\d.]*$/.test(name))
    return /^(?:tarfile|zipfile)$/.test(args[args.indexOf('-m') + 1] ?? '') &&
      args.some((arg) => /^(?:-e|--extract)$/.test(arg))
      ? args.length - 1
      : undefined;
  const isWhole = args.slice(0, -1).some((arg) => /\/(?:\.|\*)?$/.test(arg));
  return (name === 'cp' || name === 'rsync') && isWhole ? args.length - 1 : undefined;
}

/** Options may stand behind the words they are about; the value of one is no operand. */
const lastOperand = (args: readonly string[]): number =>
  args.findLastIndex(
    (arg, at) =>
      !arg.startsWith('-') && !/^(?:-[Smoge]|--(?:suffix|mode|owner|group|rsh))$/.test(args[at - 1] ?? ''),
  );

const COPIERS = new Set('cp mv ln install rsync scp'.split(' '));
/** Is this word the folder into which the others go? */
export const copiesInto = ({ name, args }: CommandWords, at: number): boolean =>
  COPIERS.has(name) &&
  (at === lastOperand(args) || /^-[a-zA-Z]*t$|^--target-directory/.test(args[at - 1] ?? args[at]!));

/** Their other words are only read. */
const READ_FROM = new Set('cp scp rsync install'.split(' '));
export const copiesFrom = (said: CommandWords, at: number): boolean =>
  READ_FROM.has(said.name) &&
  !copiesInto(said, at) &&
  !said.args.some((arg) => arg.startsWith('--remove-source') || /^-[a-zA-Z]*t|^--target-dir/.test(arg));

/** `ln -s ~ h; rm -r h/x`: a name that the text itself gives to a place. */
export function linkOf({
  name,
  args,
}: CommandWords): { readonly from: string; readonly to: string } | undefined {
  const operands = args.filter((arg) => !arg.startsWith('-'));
  const [from, to] = operands;
  const isLink = (name === 'ln' && args.some((arg) => /^-\w*s|^--sym/.test(arg))) || name === 'mount';
  return isLink && from !== undefined && to !== undefined ? { from, to } : undefined;
}

const subcommandOf = (args: readonly string[]): string => args.find((arg) => !arg.startsWith('-')) ?? '';
