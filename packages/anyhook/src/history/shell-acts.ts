/** The acts of a shell command and of the scripts and code that it runs, from the analysis of the text. */

import { resolve } from 'node:path';
import { actsOf } from '../events/acts.ts';
import type { ScriptFiles } from '../events/script-files.ts';
import type { ShellAct } from '../shell/act.ts';
import { analyseOnce, type ShellAnalysis } from '../shell/analyse.ts';
import { copiesFrom, enteredFolder, onlyReads, takesCode } from '../shell/path-uses.ts';
import { fixedWord, HOLE, type ShellWord } from '../shell/word.ts';
import { type CallAct, fetched, resolvedPath, resolvedEntry } from './act-targets.ts';

export interface ActScene {
  readonly cwd: string;
  readonly home: string;
  /** Lets the analysis look into the files that the command runs. */
  readonly files?: ScriptFiles;
}
interface ShellPiece {
  readonly payload: { readonly tool: 'shell'; readonly input: { readonly command: string } };
  readonly acts: readonly CallAct[];
}

/** One piece per act. Acts that only surround others, such as `sudo` and `cd`, are left out if there are others. */
export function shellPieces(command: string, { cwd, home, files }: ActScene): readonly ShellPiece[] {
  const analysis = analyseOnce(command, files && { files, cwd });
  const reader = new ActReader(command, analysis, cwd, home);
  const piece = (text: string, acts: readonly CallAct[], isIdle = false) => ({
    payload: { tool: 'shell', input: { command: text } } as const,
    acts,
    isIdle,
  });
  const pieces = [
    ...analysis.acts.map((act) => piece(act.text, reader.read(act), surrounds(act, analysis))),
    ...analysis.writes.map((word) => piece(`> ${word.text}`, reader.files('write', word))),
    ...analysis.used.map(({ does, target }) =>
      piece(
        command,
        does === 'fetch' ? [{ does, targets: [fetched(target.value)] }] : reader.files(does, target),
      ),
    ),
  ].filter(({ acts }) => acts.length > 0);
  const telling = pieces.filter(({ isIdle }) => !isIdle);
  return telling.length > 0 ? telling : pieces.slice(0, 1);
}

/** `cd`, `echo` and a filter in a pipe change nothing, and `sudo x` does what `x` does. `npm publish` does more than its scripts. */
function surrounds(act: ShellAct, { opened, acts }: ShellAnalysis): boolean {
  if (IDLE.test(act.program)) return true;
  if (opened.has(act))
    return (
      WRAPS.test(act.program) ||
      takesCode(act) ||
      /^(?:npm|yarn|pnpm|bun) (?:run|run-script|exec|x|dlx)$/.test(
        `${act.program} ${act.invocation.operands[0]?.value}`,
      )
    );
  if (/^g?find$/.test(act.program))
    return !act.args.includes('-delete') && acts.some(({ program }) => DELETES.test(program));
  return (
    act.program !== 'git' && act.input !== undefined && onlyReads(act) && act.invocation.operands.length === 0
  );
}
const WRAPS =
  /^(?:sudo|doas|su|env|time|timeout|nice|ionice|nohup|setsid|flock|command|builtin|exec|eval|stdbuf|xargs|parallel|watch|source|\.|(?:ba|da|z|fi|k|tc|c)?sh|busybox|g?make|just|task|rake|npx|find|fd|trap)$/;
const IDLE =
  /^(?:cd|pushd|popd|echo|printf|true|false|:|set|export|unset|pwd|exit|sleep|test|\[|\[\[|ls|wait|read)$/;

const DELETES = /^(?:g?rm|unlink|shred|srm|rmdir|trash(?:-put)?|wipe)$/;
/** The last operand is written, the others are read. */
const COPIES = /^(?:g?cp|g?mv|ln|g?install|rsync|scp)$/;
const WRITES = /^(?:tee|truncate|touch|ed|ex|vim?|nvim|nano|emacs)$/;
const IN_PLACE: Readonly<Record<string, RegExp>> = {
  sed: /^-[a-zA-Z]*i|^--in-place/,
  gsed: /^-[a-zA-Z]*i|^--in-place/,
  perl: /^-[a-zA-Z]*i/,
  ruby: /^-[a-zA-Z]*i/,
};
/** The first operand is a pattern or a program. */
const PATTERN_FIRST = /^(?:[efz]?grep|rg|ag|ack|g?sed|[gmn]?awk|jq|yq|perl|ruby)$/;
/** They name a file without reading its contents. */
const NAMES_ONLY =
  /^(?:ls|stat|test|\[|\[\[|chmod|chown|chgrp|touch|mkdir|git|echo|printf|du|basename|dirname|realpath|readlink|which|type|cd|pushd|g?rm|rmdir|unlink)$/;
const MOST_FOLDERS = 4;

class ActReader {
  /** The folders in which a command may run, the most likely first. */
  #folders: string[];
  readonly #home: string;
  readonly #variables: ReadonlyMap<string, string>;
  readonly #finds: readonly ShellAct[];

  readonly #text: string;

  constructor(text: string, { settings, acts }: ShellAnalysis, cwd: string, home: string) {
    this.#text = text;
    this.#folders = [cwd];
    this.#home = home;
    this.#finds = acts.filter(({ program }) => /^g?find$/.test(program));
    this.#variables = new Map([
      ['HOME', home],
      ['PWD', cwd],
      ...settings.flatMap(({ name, value }) => (value.fixed ? [[name, value.value] as const] : [])),
    ]);
  }

  read(act: ShellAct): readonly CallAct[] {
    const folder = enteredFolder(act);
    if (folder !== undefined) this.#enter(folder, act);
    const { program, args } = act;
    const { command, operands } = act.invocation;
    if (/^g?find$/.test(program) && args.includes('-delete')) return this.#found(act);
    if (DELETES.test(program)) return this.#deleted(operands);
    if (command === 'git rm' || (command === 'git clean' && operands.length > 0))
      return this.#deleted(operands);
    if (program === 'apply_patch' && act.input?.kind === 'text') return this.#patched(act.input.text);
    if (COPIES.test(program) && operands.length > 1) return this.#copied(act);
    if (WRITES.test(program) && operands.length > 0)
      return operands.flatMap((word) => this.files('write', word));
    if (IN_PLACE[program] !== undefined && args.some((arg) => IN_PLACE[program]!.test(arg)))
      return this.#paths(act).flatMap((word) => this.files('write', word));
    const written = outputs(act).flatMap((path) => this.files('write', fixedWord(path)));
    const got = plainFetch(act);
    if (got.length > 0)
      return [...got.map((url): CallAct => ({ does: 'fetch', targets: [fetched(url)] })), ...written];
    return [...this.#readOrRun(act), ...written];
  }

  files(does: 'delete' | 'write' | 'read', word: ShellWord): readonly CallAct[] {
    if (
      word.value === HOLE.value ||
      word.value === '' ||
      /^\/dev\/(?:null|std\w+|tty|fd\/\d+)$/.test(word.value)
    )
      return [];
    const path = this.#expanded(word).replace(/(?<=.)\/(?:\*|\.)?$/, '');
    const targets = this.#folders.map((folder) =>
      resolve(folder, path === '*' && does === 'delete' ? '.' : path),
    );
    return [{ does, targets: targets.map(does === 'delete' ? resolvedEntry : resolvedPath) }];
  }

  #readOrRun(act: ShellAct): readonly CallAct[] {
    const { program } = act;
    const paths = this.#paths(act);
    const input = act.input?.kind === 'elsewhere' ? (act.input.paths ?? []).map(fixedWord) : [];
    const reads = [...paths, ...input].flatMap((word) => this.files('read', word));
    const isReader = onlyReads(act) || (takesCode(act) && PATTERN_FIRST.test(program));
    if (isReader && reads.length > 0 && !NAMES_ONLY.test(program)) return reads;
    const guesses = NAMES_ONLY.test(program)
      ? []
      : [...act.words.slice(1), ...input].flatMap((word) => this.#mayRead(word));
    return [{ does: 'run', targets: [runText(act)] }, ...guesses];
  }

  /** `-F file=@.env`, `if=.env`, `--input=.env` */
  #mayRead(word: ShellWord): readonly CallAct[] {
    const path = /^(?:.*[=@])?([^=@]+)$/s.exec(word.value)?.[1];
    if (
      path === undefined ||
      path.startsWith('-') ||
      path.length > LONGEST_PATH ||
      /[\s;(){}]|:\/\//.test(path)
    )
      return [];
    return this.files('read', { ...word, value: path }).map((act) => ({ ...act, isGuess: true as const }));
  }

  #patched(patch: string): readonly CallAct[] {
    return actsOf({ tool: 'patch', input: { patch } }).flatMap(({ input: { path } }) =>
      typeof path === 'string' ? this.files('write', fixedWord(path)) : [],
    );
  }

  #deleted(operands: readonly ShellWord[]): readonly CallAct[] {
    const found = operands.some(({ value }) => value === HOLE.value)
      ? this.#finds.flatMap((act) => this.#found(act))
      : [];
    return [...operands.flatMap((word) => this.files('delete', word)), ...found];
  }

  /** What `find` selects: a whole folder, or the names below it. Other conditions are not read. */
  #found({ words }: ShellAct): readonly CallAct[] {
    const rest = words.slice(1);
    const end = rest.findIndex(({ value }) => /^[-(!]/.test(value));
    const roots = end === -1 ? rest : rest.slice(0, end);
    const tests = end === -1 ? [] : rest.slice(end);
    const names = tests.flatMap(({ value }, at) =>
      /^-i?name$/.test(value) ? [tests[at + 1]?.value ?? ''] : [],
    );
    if (
      tests.some(({ value }) =>
        /^-(?:not|o|or|path|regex|[acm](?:time|min)|newer\w*|size|empty|user|perm)$|^!$/.test(value),
      )
    )
      return [{ does: 'run', targets: [words.map(({ value }) => value).join(' ')] }];
    const folders = (roots.length === 0 ? [fixedWord('.')] : roots).flatMap((word) =>
      this.files('delete', word),
    );
    if (names.length === 0) return folders;
    return folders.flatMap(({ does, targets }) =>
      names.map((name): CallAct => ({ does, targets: targets.map((target) => `${target}/**/${name}`) })),
    );
  }

  #copied(act: ShellAct): readonly CallAct[] {
    const { operands } = act.invocation;
    const [into] = operands.slice(-1);
    const sources = operands.slice(0, -1);
    const reads = sources.flatMap((word) => this.files('read', word));
    // The last operand may be a folder.
    const names = sources.map(({ value }) => value.slice(value.lastIndexOf('/') + 1));
    const [written] = this.files('write', into!);
    if (written === undefined) return reads;
    const inside = written.targets.flatMap((target) =>
      names.map((name) => resolvedPath(resolve(target, name))),
    );
    const writes: CallAct = { does: 'write', targets: [...written.targets, ...inside] };
    return copiesFrom(act, act.args.indexOf(sources[0]?.value ?? '')) || reads.length > 0
      ? [writes, ...reads.map(asGuess)]
      : [writes];
  }

  /** The operands that are files. */
  #paths({ program, args, invocation: { operands } }: ShellAct): readonly ShellWord[] {
    const isGiven = args.some((arg) => /^-[a-zA-Z]*[ef]$|^--(?:expression|file|regexp)/.test(arg));
    return PATTERN_FIRST.test(program) && !isGiven ? operands.slice(1) : operands;
  }

  /** After `cd x;`, or in a subshell, later commands may also run in the folders before. */
  #enter(word: ShellWord, { text }: ShellAct): void {
    const path = this.#expanded(word);
    const entered = this.#folders.map((folder) => resolve(folder, path));
    const isSure = this.#text.includes(`${text} &&`) && !this.#text.includes(`(${text}`);
    this.#folders = [...new Set([...entered, ...(isSure ? [] : this.#folders)])].slice(0, MOST_FOLDERS);
  }

  #expanded({ value, fixed }: ShellWord): string {
    const home = value.replace(/^~(?=\/|$)/, this.#home);
    return fixed
      ? home
      : home.replaceAll(
          /\$(?:(\w+)|\{(\w+)\})/g,
          (whole, a?: string, b?: string) => this.#variables.get(a ?? b ?? '') ?? whole,
        );
  }
}

const LONGEST_PATH = 4096;
const asGuess = (act: CallAct): CallAct => ({ ...act, isGuess: true });

/** Files that options name as the output: `curl -o x`, `dd of=x`, `sort -o x`. */
function outputs({ program, args }: ShellAct): readonly string[] {
  if (program === 'dd') return args.flatMap((arg) => (arg.startsWith('of=') ? [arg.slice(3)] : []));
  const option =
    program === 'wget' ? /^(?:-[a-z]*O|--output-document)(?:=(.*))?$/ : /^(?:-o|--output)(?:=(.*))?$/;
  if (!/^(?:curl|wget|sort)$/.test(program)) return [];
  return args.flatMap((arg, at) => {
    const found = option.exec(arg);
    return found === null ? [] : [found[1] ?? args[at + 1] ?? ''];
  });
}

/** Options of `curl` and `wget` that send nothing but the address. */
const QUIET =
  /^-[sSLfkvgqi]+$|^-[qnv]*O-$|^--(?:silent|show-error|location|fail|insecure|verbose|quiet|include|compressed|max-time|retry|no-check-certificate)(?:=.*)?$/;

/** The addresses of a request that only fetches. */
function plainFetch({ program, args }: ShellAct): readonly string[] {
  if (!/^(?:curl|wget|https?|xh)$/.test(program)) return [];
  const taking = /^(?:-[oOm]|-[a-z]*O|--(?:output|output-document|max-time|retry))$/;
  const rest = args.filter(
    (arg, at) => !taking.test(arg) && !taking.test(args[at - 1] ?? '') && !arg.startsWith('--output'),
  );
  if (rest.some((arg) => arg.startsWith('-') && !QUIET.test(arg))) return [];
  const urls = rest.filter((arg) => !arg.startsWith('-'));
  return urls.every((url) => /^(?:https?:\/\/)?[\w.-]+(?::\d+)?(?:[/?].*)?$/s.test(url)) ? urls : [];
}

/** Program, subcommand, options under one name each, and all other words. */
function runText({ program, words, invocation: { command, options } }: ShellAct): string {
  const known = new Set(command.split(' ').slice(1));
  const rest = words.slice(1).flatMap(({ value }, at) => {
    if (known.delete(value)) return [];
    if (!value.startsWith('-')) {
      const isGitFolder = program === 'git' && /^-[Cc]$/.test(words[at]?.value ?? '');
      return isGitFolder ? [] : [value.replace(/^\.\//, '')];
    }
    const equals = value.indexOf('=');
    return equals === -1 ? [] : [value.slice(equals + 1)];
  });
  return [command, ...[...options].sort().map((option) => `-${option}`), ...rest].join(' ');
}
