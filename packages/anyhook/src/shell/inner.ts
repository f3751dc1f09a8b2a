import type { Input } from './outputs.ts';
import type { RunFile } from './script-file.ts';
import type { Values } from './values.ts';
import { clip, type ShellWord } from './word.ts';

/** What code of another language does with a path or an address that it names. */
export interface CodeUse {
  readonly does: 'delete' | 'read' | 'write' | 'fetch';
  readonly target: ShellWord;
}

/** The commands and texts that a command runs. */
export interface Inner {
  readonly commands: readonly (readonly ShellWord[])[];
  readonly texts: readonly InnerText[];
  /** `NAME=value` words of the command. */
  readonly settings?: readonly ShellWord[];
  readonly unjudgeable: readonly string[];
  /** Those of the reasons that also count in a file: a program is too long, or another program makes it. */
  readonly fed?: readonly string[];
  /** Programs whose output is run. */
  readonly fetched?: readonly string[];
  /** Files and addresses that code of another language reads, writes or fetches. */
  readonly used?: readonly CodeUse[];
  /** Files that are run. Their text is read only if the caller of the analysis gives a reader. */
  readonly files?: readonly RunFile[];
}

export interface InnerText {
  readonly text: string;
  /** `other` shells (zsh, ksh) are judged only as far as bash reads them alike. `foreign` shells have another syntax. */
  readonly shell: 'bash' | 'other' | 'foreign';
  /** Run time completes words that contain this text. */
  readonly hole?: string;
  /** The text may not be shell text, so a syntax error is no reason to doubt. */
  readonly isGuess?: true;
}

/** What is known around a command: its input, and the values of variables and files. */
export interface ScriptAround {
  readonly input?: Input;
  readonly values: Values;
}

export const NOTHING: Inner = { commands: [], texts: [], unjudgeable: [] };

export const unjudgeable = (...reasons: string[]): Inner => ({ ...NOTHING, unjudgeable: reasons });

export const runs = (...commands: (readonly ShellWord[])[]): Inner => ({
  ...NOTHING,
  commands: commands.filter((words) => words.length > 0),
});

/**
 * A word that is shell text. Parts known only at run time count as words of the text. As the name of a command they make it
 * unjudgeable.
 */
export function runsText(word: ShellWord, hole?: string): Inner {
  if (word.content?.kind === 'made')
    return made(word.content, `shell text is made at run time, by ${word.content.by}: ${clip(word.text)}`);
  if (word.content?.kind === 'elsewhere')
    return runsFiles(word.content.paths ?? [], (text) => runsShell(text), {});
  const text = word.content?.text ?? word.value;
  return { ...NOTHING, texts: [{ text, shell: 'bash', ...(hole === undefined ? {} : { hole }) }] };
}

export const runsShell = (text: string): Inner => ({ ...NOTHING, texts: [{ text, shell: 'bash' }] });

/** A word that a program may pass to a shell. */
export const mayRunText = (word: ShellWord): Inner => ({
  ...NOTHING,
  texts: [{ text: word.value, shell: 'bash', isGuess: true }],
});

export const combine = (...parts: readonly Inner[]): Inner => ({
  commands: parts.flatMap((part) => part.commands),
  texts: parts.flatMap((part) => part.texts),
  settings: parts.flatMap((part) => part.settings ?? []),
  unjudgeable: parts.flatMap((part) => part.unjudgeable),
  fed: parts.flatMap((part) => part.fed ?? []),
  fetched: parts.flatMap((part) => part.fetched ?? []),
  used: parts.flatMap((part) => part.used ?? []),
  files: parts.flatMap((part) => part.files ?? []),
});

export const made = ({ by, fetched }: Extract<Input, { kind: 'made' }>, why: string): Inner => ({
  ...unjudgeable(why),
  ...(fetched && { fetched: [by] }),
});

/** The program on the input, read with `read`. */
export function fromInput(
  input: Input | undefined,
  name: string,
  read: (text: string) => Inner,
  how: HowRun = {},
): Inner {
  if (input === undefined) return unjudgeable(`${name} reads its program from its input`);
  if (input.kind === 'made') {
    const inner = made(input, `${name} is given what ${input.by} makes at run time`);
    return { ...inner, fed: inner.unjudgeable };
  }
  if (input.kind === 'text') return read(input.text);
  return runsFiles(input.paths ?? [], read, how);
}

/** The program in a file: what the text itself writes there, or else what is on disk. */
export function fromFile(
  word: ShellWord,
  { input, values }: ScriptAround,
  name: string,
  read: (text: string) => Inner,
  how: HowRun = {},
): Inner {
  if (word.content !== undefined) return fromInput(word.content, name, read, how);
  if (isInput(word)) return fromInput(input, name, read, how);
  const text = values.fileText(word.value);
  if (text !== undefined) return read(text);
  if (word.fixed) return runsFiles([word.value], read, how);
  const beside = behindFolder(word);
  return beside === undefined ? NOTHING : runsFiles([beside], read, { ...how, isBeside: true });
}

/** `"$PWD/t.sh"`, `$(dirname "$0")/t.sh`: the path behind a folder that only run time knows. */
const behindFolder = ({ trail }: ShellWord): string | undefined =>
  /^\/[^/]/.test(trail) ? `.${trail}` : undefined;

type HowRun = Pick<RunFile, 'isGuess' | 'isStarted' | 'isBeside'>;

const runsFiles = (paths: readonly string[], read: (text: string) => Inner, how: HowRun): Inner => ({
  ...NOTHING,
  files: paths.map((path) => ({ path, read, ...how })),
});

/** `-` and the paths of file descriptors. */
export const isInput = (word: ShellWord): boolean =>
  word.value === '-' || /^\/(?:dev\/(?:stdin|fd)|proc\/)/.test(word.value);
