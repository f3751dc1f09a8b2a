/** The paths, commands and code in the arguments of a tool call. */

import type { Fields } from '../events/effects.ts';

export interface MentionedPaths {
  /** Paths that the call may change. */
  readonly paths: readonly string[];
  /** Shell commands that it runs. */
  readonly commands: readonly string[];
  /** Code in other languages that it runs. */
  readonly codes: readonly string[];
  /** Folders that it mounts in a container. */
  readonly mounts: readonly string[];
}

const NOTHING: MentionedPaths = { paths: [], commands: [], codes: [], mounts: [] };
/** Tools that change no files. Agents started by `task` fire their own events. */
const HARMLESS: ReadonlySet<string> = new Set(['read', 'glob', 'grep', 'fetch', 'task', 'todo']);
const WRITERS: ReadonlySet<string> = new Set(['write', 'edit', 'multi-edit']);
const READS = /(?:^|[_\W])(?:read|get|list|search|view|cat|grep|glob|find|stat|show|fetch|info|tree|query)/;
const CHANGES =
  /writ|edit|delet|remov|mov|renam|creat|patch|put|append|truncat|replac|updat|insert|chmod|cop|exec|run|shell|bash|command|terminal|script|save|eval|send|type|keys|stdin|input/;
const RUNS =
  /exec|run|shell|bash|command|terminal|script|process|eval|send|keys|stdin|repl|python|node|sql|(?:^|[_\W])(?:term|pty|tty|console|kernel)(?:[_\W]|$)/;
const PATH_KEY = /path|file|target|dest|source|folder|directory|^dir$|^from$|^to$|^uri$/i;
/** Arguments that contain a patch. The contents of a written file may quote a patch and do not count. */
const PATCH_KEY = /patch|diff|^input$|^command$/i;
const COMMAND_KEY = /command|cmd|script|code|line|eval|expr|shell|bash|stdin|keys|args|argv|chars|^run$/i;
const MOUNT_KEY = /volume|bind|mount/i;
const FOLDER_KEY = /dir|folder|root|base|parent|cwd|where|workspace|prefix|repo|project|location/i;

export function mentionedBy(tool: string, input: Fields): MentionedPaths {
  if (HARMLESS.has(tool)) return NOTHING;
  const texts = textsIn(input, DEEPEST);
  if (tool === 'shell')
    return { ...NOTHING, commands: texts.flatMap(([key, text]) => (COMMAND_KEY.test(key) ? [text] : [])) };
  if (WRITERS.has(tool))
    return {
      ...NOTHING,
      paths: texts.flatMap(([key, text]) =>
        PATH_KEY.test(key) ? pathsIn(text) : PATCH_KEY.test(key) ? patchedBy(text) : [],
      ),
    };
  const name = tool.toLowerCase();
  if (READS.test(name) && !CHANGES.test(name))
    return { ...NOTHING, codes: texts.flatMap(([, text]) => (SQL_WRITES.test(text) ? [text] : [])) };
  const runs = RUNS.test(name)
    ? texts.map(([, text]) => text)
    : texts.flatMap(([key, text]) => (COMMAND_KEY.test(key) ? [text] : []));
  return {
    paths: [...texts.flatMap(([, text]) => pathsIn(text)), ...joined(texts)],
    commands: runs,
    codes: runs.filter((text) => CODE.test(text)),
    mounts: texts.flatMap(([key, text]) =>
      MOUNT_KEY.test(key) && !/:ro(?:,|$)/.test(text) ? [text.split(':')[0]!] : [],
    ),
  };
}

/** A query that may write a file. */
const SQL_WRITES = /\b(?:attach|copy|export|install|load|vacuum|writefile|outfile|dumpfile)\b/i;

/** A call in a programming language, such as `fs.rmSync('x')`. Shell commands have no such brackets. */
const CODE = /[\w.]\s*\(\s*[`'"]/;

/** A path in two arguments: `{ "dir": "~/.config/anyhook", "name": "hooks.json" }`. */
const joined = (texts: readonly (readonly [string, string])[]): string[] =>
  texts
    .filter(([key, text]) => FOLDER_KEY.test(key) && isOneLine(text))
    .flatMap(([, folder]) =>
      texts.filter(([, text]) => isOneLine(text)).map(([, text]) => `${folder.replace(/\/$/, '')}/${text}`),
    );

const isOneLine = (text: string): boolean => text.length <= 4096 && !text.includes('\n');

/** One line may be a path, after the host of a URL, or percent-encoded. A patch names paths in its headers. */
function pathsIn(text: string): string[] {
  if (!isOneLine(text)) return patchedBy(text);
  const behind = /^(?!file:)[a-z][\w+.-]*:\/\/[^/]*(\/.*)$/i.exec(text)?.[1];
  return [text, ...(behind === undefined ? [] : [behind]), ...decoded(behind ?? text)];
}
function decoded(text: string): string[] {
  if (!text.includes('%')) return [];
  try {
    return [decodeURIComponent(text)];
  } catch {
    return []; // the `%` is not part of an escape
  }
}
const patchedBy = (text: string): string[] => [...text.matchAll(PATCH)].map(([, path]) => path!.trim());
const PATCH =
  /^(?:\*\*\* (?:Update|Add|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?:[ab]\/)?|rename (?:to|from) )(.+)$/gm;

const DEEPEST = 64;
function textsIn(value: unknown, depth: number, key = ''): [string, string][] {
  if (typeof value === 'string') return [[key, value]];
  if (COMMAND_KEY.test(key) && isWords(value)) return [[key, value.map(quoted).join(' ')]];
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  // A path may be a list of names, or a key: `["~", ".config"]`, `{ "/home/me": "/x" }`.
  const whole = isWords(value) ? [[key, value.join('/')] as [string, string]] : [];
  const named = Array.isArray(value) ? [] : Object.keys(value).filter((name) => name.includes('/'));
  return [
    ...Object.entries(value).flatMap(([name, part]) =>
      textsIn(part, depth - 1, Array.isArray(value) ? key : name),
    ),
    ...whole,
    ...named.map((name) => [key, name] as [string, string]),
  ];
}

/** Some agents pass a command as a list of words. */
const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((word) => typeof word === 'string');
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
