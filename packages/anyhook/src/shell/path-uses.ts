/**
 * What a program does with the paths among its words: reads, changes, deletes with everything below, fills or copies them.
 * Positions count the arguments of an act, without the program.
 */

import type { ShellAct } from './act.ts';
import { hasTrait } from './programs.ts';
import type { ShellWord } from './word.ts';

type Act = Pick<ShellAct, 'program' | 'args'>;

/** Programs that only read, unless one of their arguments fits. */
const READS_UNLESS: Readonly<Record<string, RegExp>> = {
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
/** Subcommands of git that leave the working tree as it is. */
const GIT_READS = new Set(
  'status diff log show blame annotate ls-files ls-tree grep rev-parse rev-list cat-file describe shortlog add commit push fetch remote check-ignore check-attr'.split(
    ' ',
  ),
);
/** The command that they run is an act of its own. */
const TRANSPARENT = new Set(
  'sudo doas env time timeout nice ionice nohup command builtin stdbuf xargs parallel'.split(' '),
);

export function onlyReads({ program, args }: Act): boolean {
  if (TRANSPARENT.has(program) || hasTrait(program, 'reads')) return true;
  if (program === 'sed')
    return args[0] === '-n' && /^\d+(?:,(?:\d+|\$))?p$/.test(args[1] ?? '') && !args[2]?.startsWith('-');
  const changes = Object.hasOwn(READS_UNLESS, program) ? READS_UNLESS[program] : undefined;
  if (changes === undefined || args.some((arg) => changes.test(arg))) return false;
  return program !== 'git' || GIT_READS.has(args.find((arg) => !arg.startsWith('-')) ?? '');
}

const RECURSIVE = /^-[a-zA-Z]*[rR]|^--recursive/;
/** Programs that change everything below a folder: always, or if one of their arguments fits. */
const SWEEPERS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    'mv rmdir shred rename trash trash-put mount umount'.split(' ').map((program) => [program, /^/]),
  ),
  rm: RECURSIVE,
  rsync: /^--del/,
  chmod: RECURSIVE,
  chattr: RECURSIVE,
  setfacl: RECURSIVE,
};
/** Modes that let the owner read, write and execute. */
const HARMLESS_MODE = /^(?:[ugoa]*\+[rwxXst]+|0?7[0-7]{2})$/;

/** The arguments that name folders which are changed with everything below them. */
export function sweptFolders({ program, args }: Act): readonly number[] {
  const option = Object.hasOwn(SWEEPERS, program) ? SWEEPERS[program] : undefined;
  if (option === undefined || !args.some((arg) => option.test(arg))) return [];
  if (program === 'rsync') return [args.length - 1];
  if (program === 'chmod' && args.some((arg) => HARMLESS_MODE.test(arg))) return [];
  const operands = args.flatMap((arg, at) => (arg.startsWith('-') ? [] : [at]));
  const hasTargetOption = args.some((arg) => /^-[a-zA-Z]*t$|^--target-directory/.test(arg));
  return program === 'mv' && !hasTargetOption ? operands.slice(0, -1) : operands; // the last is the target
}

/** Reads everything below a folder that it is given. */
export const searchesBelow = ({ program, args }: Act): boolean =>
  /^(?:rg|ag|ack|fd|fdfind|tree|locate)$/.test(program) ||
  (/^(?:[ef]?grep|ls)$/.test(program) &&
    args.some((arg) => /^-\w*[rR]|^--(?:dereference-)?recursive/.test(arg)));

/** The first argument is a program, or code, that is run or inspected. */
export const takesProgram = ({ program }: Act): boolean =>
  /^(?:node|bun|deno|tsx|npx|(?:ba|da|z|fi|k)?sh|strace|ltrace|ldd|file|open)$/.test(program);

/** One of the words, or the input, is code, which may name files in its own syntax. */
export const takesCode = ({ program }: Act): boolean =>
  /^(?:[gmn]?awk|g?sed|perl|python|pypy|ruby|node|deno|bun|php|lua|luajit|ed|ex|vim?|nvim|emacs|sqlite3?|duckdb|psql|mysql|jq|yq|crontab|at|batch|expect|tclsh|osascript|gdb|lldb|debugfs|r|rscript|julia|guile|racket|sbcl|elixir|erl|ghc|groovy|scala|kotlin|swift|octave|m4|pwsh|powershell)[\d.]*$/i.test(
    program,
  );

/** `fd name folder -x rm` */
export const runsOnFoundFiles = ({ program, args }: Act): boolean =>
  /^fd(?:find)?$/.test(program) && args.some((arg) => /^-[xX]|^--exec/.test(arg));

/** Passes words on to other commands, where no analysis sees them. */
export const passesWordsOn = ({ program, args }: Act): boolean =>
  /^(?:xargs|parallel|read|mapfile|readarray)$/.test(program) || (program === 'printf' && args[0] === '-v');

/** The command that it starts on this machine begins in the home folder: `sudo -i`, `ssh localhost`. */
export const startsAtHome = ({ program, args }: Act): boolean =>
  /^(?:ssh|rsh|mosh|sudo|su|machinectl)$/.test(program) &&
  args.some((arg) =>
    /^(?:-\w*i|-l|--login|(?:[^@\s]+@)?(?:localhost|127\.[\d.]+|::1|ip6-localhost))$/.test(arg),
  );

export const isCd = ({ program }: Act): boolean => program === 'cd' || program === 'pushd';

/** The folder that `cd` enters; undefined for other programs, and for `cd` without a folder. */
export const enteredFolder = (act: ShellAct): ShellWord | undefined =>
  isCd(act) ? act.words.slice(1).find(({ value }) => !/^-[LPe@n]+$/.test(value)) : undefined;

const FOLDER_OPTION = /^(?:-C|-D|--chdir|--directory|--cwd|--prefix|--work-tree|--working-directory)$/;
const FOLDER_OPTION_JOINED =
  /^(?:-C(?=.)|--(?:chdir|directory|cwd|prefix|work-tree|working-directory)=)(.+)$/;

/** Folders in which options tell a program to work: `env -C`, `git -C`, `tar -C`, `make -C`. */
export const optionFolders = ({ args }: Act): readonly string[] =>
  args.flatMap((arg, at) => {
    if (!arg.startsWith('-')) return [];
    const joined = FOLDER_OPTION_JOINED.exec(arg)?.[1];
    return joined !== undefined ? [joined] : FOLDER_OPTION.test(arg) ? args.slice(at + 1, at + 2) : [];
  });

/** The argument that names the folder which becomes `/` for the started command. */
export function newRoot({ program, args }: Act): number | undefined {
  const option = /^(?:proot|systemd-nspawn)$/.test(program)
    ? args.findIndex((arg) => /^(?:-[rRSD]|--rootfs|--directory)(?:=.*)?$/.test(arg))
    : -1;
  if (option !== -1) return args[option]!.includes('=') ? option : option + 1;
  if (!/^(?:chroot|arch-chroot)$/.test(program)) return undefined;
  const first = args.findIndex((arg) => !arg.startsWith('-'));
  return first === -1 ? undefined : first;
}

/** Programs that fill a folder from an archive: the option that names the folder, and the options without which they do not. */
const EXTRACTORS: readonly {
  readonly program: RegExp;
  readonly folder: RegExp;
  readonly joined: RegExp;
  readonly needs?: RegExp;
}[] = [
  {
    program: /^(?:bsd|g)?tar$/,
    folder: /^(?:-C|--directory)$/,
    joined: /^(?:-C.|--directory=)/,
    needs: /^-?\w*x|^--(?:extract|get)/,
  },
  {
    program: /^cpio$/,
    folder: /^(?:-D|--directory)$/,
    joined: /^(?:-D.|--directory=)/,
    needs: /^-\w*i|^--extract/,
  },
  { program: /^unzip$/, folder: /^-d$/, joined: /^-d./ },
  { program: /^7z\w?$/, folder: /^-o$/, joined: /^-o./ },
];

/** The argument that names a folder which is filled with files that only an archive, or another folder, lists. */
export function filledFolder({ program, args }: Act): number | undefined {
  const extractor = EXTRACTORS.find((row) => row.program.test(program));
  if (extractor !== undefined) {
    const { folder, joined, needs } = extractor;
    if (needs !== undefined && !args.some((arg) => needs.test(arg))) return undefined;
    const at = args.findIndex((arg) => folder.test(arg) || joined.test(arg));
    if (at === -1 || joined.test(args[at]!)) return at === -1 ? undefined : at;
    return at === args.length - 1 ? undefined : at + 1;
  }
  const last = args.length - 1;
  if (/^dpkg(?:-deb)?$/.test(program))
    return args.some((arg) => /^-[xX]$|^--v?extract$/.test(arg)) ? last : undefined;
  if (/^(?:python|pypy)[\d.]*$/.test(program)) {
    const module = args[args.indexOf('-m') + 1] ?? '';
    const isExtracting = args.some((arg) => /^(?:-e|--extract)$/.test(arg));
    return /^(?:tarfile|zipfile)$/.test(module) && isExtracting ? last : undefined;
  }
  const copiesContents = args.slice(0, -1).some((arg) => /\/(?:\.|\*)?$/.test(arg));
  return (program === 'cp' || program === 'rsync') && copiesContents ? last : undefined;
}

/** Options may follow the operands, and the value of an option is no operand. */
const lastOperand = (args: readonly string[]): number =>
  args.findLastIndex(
    (arg, at) =>
      !arg.startsWith('-') && !/^(?:-[Smoge]|--(?:suffix|mode|owner|group|rsh))$/.test(args[at - 1] ?? ''),
  );

/** Whether this argument is the folder into which the others are copied. */
export const copiesInto = ({ program, args }: Act, at: number): boolean =>
  /^(?:cp|mv|ln|install|rsync|scp)$/.test(program) &&
  (at === lastOperand(args) || /^-[a-zA-Z]*t$|^--target-directory/.test(args[at - 1] ?? args[at]!));

/** Whether this argument is only read, because it is the source of a copy. */
export const copiesFrom = (act: Act, at: number): boolean =>
  /^(?:cp|scp|rsync|install)$/.test(act.program) &&
  !copiesInto(act, at) &&
  !act.args.some((arg) => arg.startsWith('--remove-source') || /^-[a-zA-Z]*t|^--target-dir/.test(arg));

/** `ln -s ~ h; rm -r h/x`: another name that the text itself gives to a folder. */
export function madeLink({ program, args }: Act): { readonly from: string; readonly to: string } | undefined {
  const [from, to] = args.filter((arg) => !arg.startsWith('-'));
  const isLink = (program === 'ln' && args.some((arg) => /^-\w*s|^--sym/.test(arg))) || program === 'mount';
  return isLink && from !== undefined && to !== undefined ? { from, to } : undefined;
}
