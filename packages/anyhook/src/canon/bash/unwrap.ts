/** What a command runs besides itself: one step, by the tables; `commandsIn` repeats it. */
import { SUBSCRIPT_CODE } from './hidden-code.ts';
import { type Inner, NOTHING, runs, runsText, together, unjudgeable } from './inner.ts';
import { INTERPRETERS } from './interpreters.ts';
import { OPAQUE, type Opaque } from './opaque.ts';
import { readOptions } from './options.ts';
import { unwrapAwk } from './unwrap-awk.ts';
import { unwrapFind } from './unwrap-find.ts';
import { unwrapGit } from './unwrap-git.ts';
import { unwrapInterpreter } from './unwrap-interpreter.ts';
import { unwrapSed } from './unwrap-sed.ts';
import { OTHER_SHELLS, SHELLS, unwrapShell } from './unwrap-shell.ts';
import { clip, fixedWord, HOLE, isSetting, type ShellWord, withHole } from './word.ts';
import { type Joined, type Prefix, type Tails, type Wrapper, WRAPPERS } from './wrappers.ts';

export function unwrap(words: readonly ShellWord[]): Inner {
  const name = plainName(words[0]?.value ?? '');
  const args = words.slice(1);
  const steps = STEPS.get(name) ?? STEPS.get(name.replace(/[-.]?[\d.]+$/, '')) ?? [];
  return together(...steps.map((step) => step(args, name)));
}

/** `/usr/bin/Git.exe` → `Git`: the folder and the ending do not change what is run. */
export const plainName = (name: string): string =>
  name
    .slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    .replace(/\.(?:exe|cmd|bat|com)$/i, '');

type Step = (args: readonly ShellWord[], name: string) => Inner;

const STEPS = new Map<string, Step[]>();
const put = (names: Iterable<string>, step: Step): void => {
  for (const name of names) STEPS.set(name, [...(STEPS.get(name) ?? []), step]);
};
for (const row of WRAPPERS) put(row.names.split(' '), stepOf(row));
for (const row of OPAQUE) put(row.names.split(' '), (args, name) => unwrapOpaque(row, args, name));
for (const row of INTERPRETERS) put(row.names.split(' '), (args, name) => unwrapInterpreter(row, args, name));
put(SHELLS, (args, name) => unwrapShell(args, name, 'bash'));
put(OTHER_SHELLS, (args, name) => unwrapShell(args, name, 'other'));
put(['awk', 'gawk', 'mawk', 'nawk', 'original-awk'], unwrapAwk);
put(['git'], unwrapGit);
put(['find', 'gfind', 'fd', 'fdfind'], unwrapFind);
put(['sed', 'gsed'], unwrapSed);
put(['source', '.'], unwrapSource);
put(['export', 'declare', 'typeset', 'local', 'readonly'], (args) => ({
  ...NOTHING,
  settings: args.filter(isSetting),
}));
put(
  [
    'let',
    'test',
    '[',
    'printf',
    'unset',
    'read',
    'declare',
    'typeset',
    'local',
    'export',
    'readonly',
    'mapfile',
    'readarray',
    'getopts',
    'wait',
  ],
  (args, name) => {
    const code = args.find((arg) => SUBSCRIPT_CODE.test(arg.literal));
    return code === undefined ? NOTHING : unjudgeable(`${name} evaluates a subscript: ${code.text}`);
  },
);

function stepOf(row: Wrapper): Step {
  switch (row.kind) {
    case 'prefix':
      return (args, name) => unwrapPrefix(row, args, name);
    case 'joined':
      return (args, name) => unwrapJoined(row, args, name);
    case 'tails':
      return (args, name) => unwrapTails(row, args, name);
  }
}

function unwrapOpaque(row: Opaque, args: readonly ShellWord[], name: string): Inner {
  if (row.pattern === undefined) return unjudgeable(`${name}: ${row.why}`);
  const sign = args.find((arg) => row.pattern?.test(arg.value));
  return sign === undefined ? NOTHING : unjudgeable(`${name}: ${row.why}: ${clip(sign.text)}`);
}

/** Options and operands read away; `undefined` where the row's answer is already complete. */
function behindOptions(row: Prefix | Joined, args: readonly ShellWord[], name: string) {
  const first = readOptions(args, row);
  const operands = row.operands ?? 0;
  const again = row.permutes === true ? readOptions(first.rest.slice(operands), row) : undefined;
  const found = [...first.found, ...(again?.found ?? [])];
  const has = (names: readonly string[] | undefined) => found.some((option) => names?.includes(option.name));
  const texts = found
    .filter((option) => row.text?.includes(option.name))
    .flatMap((option) => option.value ?? []);
  const unknown = [...first.unknown, ...(again?.unknown ?? [])];
  // An operand that may become several words, or an option, moves the command.
  for (const operand of first.rest.slice(0, operands)) if (!operand.single) unknown.push(operand.text);
  const rest = again?.rest ?? first.rest.slice(operands);
  const answer = has(row.opaque)
    ? unjudgeable(`${name}: an option hides what is run`)
    : has(row.idle)
      ? NOTHING
      : undefined;
  return { answer, found, rest, texts, unknown, has };
}

function unwrapPrefix(row: Prefix, args: readonly ShellWord[], name: string): Inner {
  const { answer, found, rest, texts, unknown, has } = behindOptions(row, args, name);
  if (answer !== undefined) return answer;
  if (unknown.length > 0)
    return together(tailsOf(args, name), ...args.filter(looksLikeText).map((arg) => runsText(arg)));
  if (texts.length > 0) return together(...texts.map((text) => runsText(text)));
  const start = rest.findIndex((word) => !isSetting(word));
  const options = rest[start]?.lead.startsWith('-') === true && row.settings === true;
  if (options) return together(runs(rest.slice(0, start)), unwrapPrefix(row, rest.slice(start), name));
  if (start === -1 && (row.readsInput === true || has(row.readsInput || undefined)))
    return together(runs(rest), unjudgeable(`${name} reads commands from its input`));
  const tokens = found
    .filter((option) => row.token?.includes(option.name))
    .map((option) => option.value?.value ?? '{}');
  const holed = tokens.reduce((list, token) => list.map((word) => withHole(word, token)), rest);
  return runs(start !== -1 && row.appends === true && tokens.length === 0 ? [...holed, HOLE] : holed);
}

function unwrapJoined(row: Joined, args: readonly ShellWord[], name: string): Inner {
  const { answer, rest, texts, unknown } = behindOptions(row, args, name);
  if (answer !== undefined) return answer;
  const end = row.until === undefined ? -1 : rest.findIndex((word) => row.until?.includes(word.value));
  const words = rest.slice(0, row.only ?? (end === -1 ? undefined : end));
  const doubts = unknown.length > 0 ? tailsOf(args, name) : NOTHING;
  const own = texts.map((text) => runsText(text));
  if (words.length === 0)
    return together(
      doubts,
      ...own,
      row.readsInput === true ? unjudgeable(`${name} reads commands from its input`) : NOTHING,
    );
  const loose = words.find((word) => !word.fixed);
  if (loose !== undefined)
    return unjudgeable(`${name}: shell text is put together at run time: ${clip(loose.text)}`);
  if (row.each === true) return together(doubts, ...own, ...words.map((word) => runsText(word)));
  const text = words.map((word) => word.value).join(' ');
  if (row.until !== undefined)
    return together(doubts, runsText(fixedWord(text.includes('{') ? text : `${text} {}`), '{'));
  return together(doubts, ...own, text === '-' ? NOTHING : runsText(fixedWord(text)));
}

function unwrapTails(row: Tails, args: readonly ShellWord[], name: string): Inner {
  const at = row.after === undefined ? 0 : args.findIndex((arg) => row.after?.includes(arg.value)) + 1;
  if (row.after !== undefined && at === 0) return NOTHING;
  const behind = args.slice(at);
  const texts = row.texts === true ? behind.filter(looksLikeText).map((word) => runsText(word)) : [];
  return together(tailsOf(behind, name, row.operands), ...texts);
}

const looksLikeText = (word: ShellWord): boolean => word.fixed && /[\s$`;&|(){}<>]/.test(word.value);

const MOST_TAILS = 256;

/** Every tail that may be a command. A word known only at run time may be its name, unless enough words came before. */
function tailsOf(words: readonly ShellWord[], name: string, operands = words.length): Inner {
  if (words.length > MOST_TAILS)
    return unjudgeable(`${name}: ${words.length} words, its command may be any of them`);
  const tails: (readonly ShellWord[])[] = [];
  let before = 0;
  for (const [at, word] of words.entries()) {
    if (word.lead.startsWith('-') || isSetting(word)) continue;
    const option = words[at - 1]?.lead ?? '';
    const mayBeValue = option.startsWith('-') && option !== '--';
    if (word.fixed) tails.push(words.slice(at));
    else if (before <= operands && !(mayBeValue && /[:=]/.test(word.literal)))
      return unjudgeable(`${name}: the command's name is known only at run time: ${clip(word.text)}`);
    if (!mayBeValue) before++;
  }
  return runs(...tails);
}

function unwrapSource(args: readonly ShellWord[], name: string): Inner {
  const file = args.find((arg) => !arg.value.startsWith('-'));
  return file === undefined || file.fixed
    ? NOTHING
    : unjudgeable(`${name} reads a file known only at run time: ${file.text}`);
}
