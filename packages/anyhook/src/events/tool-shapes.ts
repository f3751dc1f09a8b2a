/**
 * Reads calls of unknown tools by their arguments, so that guards for the shell or for files judge them
 * whatever the tool is called. A reading is a guess: hooks that name the tool itself, and hooks without a
 * matcher, still get the original call. If unclear, there is an extra reading, because running a guard
 * needlessly is safer than skipping it.
 */

import type { Act } from './acts.ts';
import type { Fields } from './effects.ts';
import { actsInPatch } from './patch.ts';
import { commandIn, isText, isTexts, keyIn, quotedWord, withCommand, wordsIn } from './tool-words.ts';
import { TOOLS } from './tools.ts';

interface Reading extends Act {
  /** Returns the call with this act changed. Absent or null if the call cannot express that. */
  readonly withAct?: (act: Fields) => Fields | null;
}

/** Tools with a `command` argument that start no program. */
const NO_PROGRAM: ReadonlySet<string> = new Set(['slashcommand', 'skill', 'slash', 'todo']);
/** Tools that run code or type text in a web page, which cannot reach the machine. */
const IN_PAGE = new Set('browser page playwright puppeteer chrome selenium webview dom'.split(' '));
const TYPED = new Set('stdin keys keystrokes input pty tty interact write send'.split(' '));

const keys = (names: string): ReadonlySet<string> => new Set(names.split(' '));
const PATH = keys(
  'path filepath file filename targetfile absolutepath relativepath relativeworkspacepath outputpath outputfile destination dest target notebookpath uri fileuri pathname filetoedit',
);
const SOURCE = keys('source src from oldpath sourcepath');
const DESTINATION = keys('destination dest to newpath destinationpath target');
const CONTENT = keys(
  'content contents text filetext filecontent filecontents codecontent codeedit newcontent data body newcode newsource code',
);
const OLD = keys('old oldstring oldstr oldtext search find before searchstring oldcontent original oldcode');
const NEW = keys(
  'new newstring newstr newtext replace replacement after replacestring replacewith newcode newsource',
);
const EDITS = keys('edits replacements changes replacementchunks operations hunks instructions');
const PATCH = keys('patch diff patchtext unifieddiff input patches');
const CODE = keys('code source script pythoncode query expression cell');
const LANGUAGE = keys('language lang runtime kernel');
const TEXT = keys('input chars keys text data keystrokes stdin');
const PATTERN = keys('pattern query regex search glob include globpattern');
const URL_KEYS = keys('url uri href address link');

/** Returns undefined for known tools, and for calls that do not resemble any. */
export function readingsOf(tool: string, input: Fields): readonly Reading[] | undefined {
  if (Object.hasOwn(TOOLS, tool)) return undefined;
  if (wordsIn(tool).some((word) => IN_PAGE.has(word))) return undefined;
  const words = new Set(wordsIn(tool.replace(/^mcp__.*?__(?=.)/, '')));
  const readings = [
    ...shellReadings(words, input),
    ...fileReadings(words, input),
    ...webReading(words, input),
  ];
  return readings.length === 0 ? undefined : readings;
}

const has = (words: ReadonlySet<string>, ...wanted: readonly string[]): boolean =>
  wanted.some((word) => words.has(word));
const hasAll = (words: ReadonlySet<string>, ...wanted: readonly string[]): boolean =>
  wanted.every((word) => words.has(word));

function shellReadings(words: ReadonlySet<string>, input: Fields): Reading[] {
  if ([...words].some((word) => NO_PROGRAM.has(word)) || isEditor(input)) return [];
  const code = codeReading(words, input);
  if (code !== undefined) return [code];
  const found = commandIn(input) ?? typedIn(words, input);
  if (found === undefined) return [];
  const withAct = ({ command }: Fields) => withCommand(input, found, String(command));
  return [{ tool: 'shell', input: { command: found.command }, withAct }];
}

/** Text that is typed into a running program, usually a shell. */
function typedIn(words: ReadonlySet<string>, input: Fields) {
  if (
    ![...words].some((word) => TYPED.has(word)) ||
    !has(words, 'stdin', 'keys', 'keystrokes', 'terminal', 'bash', 'shell', 'process', 'pty', 'tty')
  )
    return undefined;
  const key = keyIn(input, TEXT);
  return key === undefined ? undefined : { key, command: input[key] as string };
}

/** `{ "command": "str_replace", "path": "x" }`: the command of an editor. */
const isEditor = (input: Fields): boolean =>
  isText(input['command']) &&
  /^(?:view|create|write|append|insert|str_replace|undo_edit|delete|rename|read|edit)$/.test(
    input['command'],
  ) &&
  keyIn(input, PATH) !== undefined;

const INTERPRETERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:bash|sh|shell|zsh)$/, ''],
  [/^(?:python\d*|py|ipython|jupyter|notebook)$/, 'python3 -c'],
  [/^(?:node|nodejs|javascript|js|typescript|ts|deno|bun)$/, 'node -e'],
  [/^(?:ruby|rb)$/, 'ruby -e'],
  [/^perl$/, 'perl -e'],
  [/^php$/, 'php -r'],
];

/** Reads code as the command that runs it. Without a language, assumes Python, which most such tools run. */
function codeReading(words: ReadonlySet<string>, input: Fields): Reading | undefined {
  const key = keyIn(input, CODE);
  if (key === undefined) return undefined;
  const language = keyIn(input, LANGUAGE);
  const names = language === undefined ? [...words] : [String(input[language]).toLowerCase()];
  const named = INTERPRETERS.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1];
  const runs = has(
    words,
    'run',
    'execute',
    'exec',
    'eval',
    'evaluate',
    'interpreter',
    'execution',
    'repl',
    'sandbox',
  );
  const program = named ?? (key === 'code' && runs ? 'python3 -c' : undefined);
  if (program === undefined || (named !== undefined && !runs && language === undefined && key !== 'code'))
    return undefined;
  const code = input[key] as string;
  if (program === '')
    return {
      tool: 'shell',
      input: { command: code },
      withAct: ({ command }) => ({ ...input, [key]: command }),
    };
  return { tool: 'shell', input: { command: `${program} ${quotedWord(code)}` } };
}

function fileReadings(words: ReadonlySet<string>, input: Fields): Reading[] {
  const patched = patchReadings(input);
  if (patched.length > 0) return patched;
  const moved = movedBy(words, input);
  if (moved !== undefined) return moved;
  const path = keyIn(input, PATH);
  if (path === undefined) return deletedList(words, input);
  const [old, now, content, edits] = [
    keyIn(input, OLD),
    keyIn(input, NEW),
    keyIn(input, CONTENT),
    keyIn(input, EDITS, Array.isArray),
  ];
  const act = (tool: Act['tool'], names: Readonly<Record<string, string | undefined>>) =>
    renamed(tool, input, { path, ...names });
  if (words.has('notebook') && (now ?? content) !== undefined)
    return [act('edit', { old, new: now ?? content }), act('write', { content: content ?? now })];
  if (old !== undefined && now !== undefined) return [act('edit', { old, new: now })];
  if (edits !== undefined) return [act('edit', {})];
  if (content !== undefined) return contentReadings(words, content, act);
  if (has(words, 'delete', 'remove', 'unlink', 'trash', 'rm', 'rmdir'))
    return [removal(words, input, [input[path] as string])];
  if (has(words, 'edit', 'replace', 'insert', 'truncate') || now !== undefined)
    return [act('edit', { new: now })];
  if (has(words, 'write', 'create', 'save') && !has(words, 'directory', 'dir', 'folder'))
    return [act('write', {})];
  const pattern = keyIn(input, PATTERN);
  if (pattern !== undefined) return searchReading(words, act, pattern);
  return has(words, 'read', 'view', 'open', 'cat', 'load', 'show', 'get', 'download', 'head', 'tail')
    ? [act('read', {})]
    : [];
}

type MakeAct = (tool: Act['tool'], names: Readonly<Record<string, string | undefined>>) => Reading;

/** A tool that changes a part of a file may also replace all of it. */
function contentReadings(words: ReadonlySet<string>, content: string, act: MakeAct): Reading[] {
  const write = act('write', { content });
  const isEdit = has(words, 'edit', 'insert', 'replace', 'append', 'update', 'modify', 'patch', 'change');
  return isEdit ? [act('edit', { new: content }), write] : [write];
}

function searchReading(words: ReadonlySet<string>, act: MakeAct, pattern: string): Reading[] {
  if (has(words, 'glob') || hasAll(words, 'find', 'files')) return [act('glob', { pattern })];
  return has(words, 'grep', 'ripgrep', 'rg', 'search') ? [act('grep', { pattern })] : [];
}

/** Returns the arguments under our names, and how to convert them back. */
function renamed(
  tool: Act['tool'],
  input: Fields,
  names: Readonly<Record<string, string | undefined>>,
): Reading {
  const pairs = Object.entries(names).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return {
    tool,
    input: Object.fromEntries(pairs.map(([ours, theirs]) => [ours, input[theirs]])),
    withAct: (act) =>
      Object.keys(act).every((key) => pairs.some(([ours]) => ours === key))
        ? { ...input, ...Object.fromEntries(pairs.map(([ours, theirs]) => [theirs, act[ours]])) }
        : null,
  };
}

const UNIFIED =
  /^(?:\+\+\+ (?:[ab]\/)?|rename to |\*\*\* (?:Add|Update|Delete) File: )(?!\/dev\/null)([^\t\n]+)/gm;

function patchReadings(input: Fields): Reading[] {
  const key = keyIn(
    input,
    PATCH,
    (value) =>
      isText(value) && (/^\s*\*\*\* Begin Patch/.test(value) || /^(?:\+\+\+|---|diff --git) /m.test(value)),
  );
  if (key === undefined) {
    const path = keyIn(input, PATH);
    const loose = keyIn(input, keys('patch diff unifieddiff'));
    return path === undefined || loose === undefined ? [] : [renamed('edit', input, { path, new: loose })];
  }
  const text = input[key] as string;
  const acts = actsInPatch(text);
  if (acts.length > 0) return acts;
  const paths = [...text.matchAll(UNIFIED)].map(([, path]) => path!.trim());
  return paths.map((path) => ({ tool: 'edit', input: { path, new: text } }));
}

function movedBy(words: ReadonlySet<string>, input: Fields): Reading[] | undefined {
  if (!has(words, 'move', 'rename', 'mv', 'copy', 'cp')) return undefined;
  const [from, to] = [keyIn(input, SOURCE) ?? keyIn(input, keys('path filepath')), keyIn(input, DESTINATION)];
  if (from === undefined || to === undefined) return undefined;
  const program = has(words, 'copy', 'cp') ? 'cp' : 'mv';
  return [
    {
      tool: 'shell',
      input: { command: `${program} -- ${quotedWord(input[from])} ${quotedWord(input[to])}` },
    },
    renamed('write', input, { path: to }),
  ];
}

function deletedList(words: ReadonlySet<string>, input: Fields): Reading[] {
  if (!has(words, 'delete', 'remove', 'unlink', 'trash')) return [];
  const key = keyIn(input, keys('paths files filepaths'), isTexts);
  return key === undefined ? [] : [removal(words, input, input[key] as readonly string[])];
}

/** Reads a tool that deletes as the equivalent shell command. */
function removal(words: ReadonlySet<string>, input: Fields, paths: readonly string[]): Reading {
  const isTree =
    has(words, 'dir', 'directory', 'folder', 'tree', 'recursive', 'rmdir') || input['recursive'] === true;
  return {
    tool: 'shell',
    input: { command: `rm ${isTree ? '-r ' : ''}-- ${paths.map(quotedWord).join(' ')}` },
  };
}

function webReading(words: ReadonlySet<string>, input: Fields): Reading[] {
  const url = keyIn(input, URL_KEYS);
  if (url === undefined || !/^https?:/i.test(input[url] as string)) return [];
  const isFetch = has(
    words,
    'fetch',
    'web',
    'webpage',
    'http',
    'request',
    'browse',
    'url',
    'scrape',
    'crawl',
    'download',
    'navigate',
    'curl',
    'visit',
  );
  return isFetch ? [renamed('fetch', input, { url })] : [];
}
