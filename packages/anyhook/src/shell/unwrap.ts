/** What a command runs: one step, from the tables of wrappers, interpreters and options. `analyse.ts` repeats it. */

import { codeIn } from './code-in.ts';
import { SUBSCRIPT_CODE } from './hidden-code.ts';
import {
  combine,
  fromInput,
  type Inner,
  mayRunText,
  NOTHING,
  runs,
  runsShell,
  runsText,
  type ScriptAround,
  unjudgeable,
} from './inner.ts';
import { INTERPRETER_NAMES, interpreterOf, withoutVersion } from './interpreters.ts';
import { looseIn } from './loose-text.ts';
import { RUNNING_OPTIONS } from './running-options.ts';
import { isInstalled, type RunFile } from './script-file.ts';
import { runsJust, runsMake, runsPackageScript, runsScriptList } from './task-files.ts';
import { unwrapAwk } from './unwrap-awk.ts';
import { unwrapCmake } from './unwrap-cmake.ts';
import { appended, fill, unwrapFind } from './unwrap-find.ts';
import { unwrapGit } from './unwrap-git.ts';
import { unwrapInterpreter } from './unwrap-interpreter.ts';
import { unwrapOption } from './unwrap-options.ts';
import { unwrapOther } from './unwrap-other.ts';
import { unwrapSed } from './unwrap-sed.ts';
import { OTHER_SHELLS, SHELL_NAMES, unwrapShell, unwrapSource } from './unwrap-shell.ts';
import { clip, fixedWord, isSetting, programName, readsSettings, type ShellWord, withHole } from './word.ts';
import {
  type JoinedWrapper,
  type Prefix,
  readWrapper,
  type Tails,
  type Wrapper,
  WRAPPERS,
} from './wrappers.ts';

/** A program that runs code which cannot be analysed: always, or if one of its words fits. */
interface Opaque {
  readonly names: string;
  /** Absent: always. */
  readonly pattern?: RegExp;
  readonly why: string;
}

const OPAQUE: readonly Opaque[] = [
  { names: 'emulate autoload zmodload sched zle', why: 'it runs what cannot be seen here' },
  { names: 'fc', pattern: /^(?!-[lnr]*l[lnr]*$|-?\d+$)/, why: 'it runs what cannot be seen here' },
  { names: 'hash', pattern: /^-[a-z]*p/, why: 'it gives a command another file' },
  { names: 'enable', pattern: /^-[a-z]*f/, why: 'it loads code' },
  { names: 'bind', pattern: /^-[a-z]*x/, why: 'it runs a command later' },
  { names: 'less more most', pattern: /^\+/, why: 'a pager command can run anything' },
  {
    names: 'make gmake',
    pattern: /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS)[:?]?=/,
    why: 'it is given another shell',
  },
  { names: 'ssh autossh scp sftp', pattern: /^-F./, why: 'its settings can run commands' },
  { names: 'gcc cc g++ c++ clang', pattern: /^@/, why: 'it reads options from a file' },
];

export function unwrap(words: readonly ShellWord[], around: ScriptAround): Inner {
  const name = programName(words[0]?.value ?? '');
  const args = words.slice(1);
  const steps = STEPS.get(name) ?? STEPS.get(withoutVersion(name)) ?? [];
  const [first] = words;
  return combine(
    ...steps.map((step) => step(args, name, around)),
    ownText(first, around),
    renamed(first, args, around),
  );
}

/** `q -rf y` if the text has made `q` another name of `rm`. An alias that contains its own name is expanded once. */
function renamed(name: ShellWord | undefined, args: readonly ShellWord[], { values }: ScriptAround): Inner {
  const command = name === undefined ? undefined : values.otherName(name.value);
  if (name === undefined || command === undefined) return NOTHING;
  const words = command.trim().split(/\s+/).map(fixedWord);
  const written = [name, ...args];
  return words.every(({ value }, at) => value === written[at]?.value) ? NOTHING : runs([...words, ...args]);
}

/** `./f`, if the text itself writes `f` or `f` is a script. */
function ownText(name: ShellWord | undefined, { values }: ScriptAround): Inner {
  if (name === undefined) return NOTHING;
  const text = values.fileText(name.value);
  if (text !== undefined) return startedFile(text);
  if (name.value.includes('/')) return isInstalled(name.value) ? NOTHING : started({ path: name.value });
  // Of `"$(dirname "$0")"/t.sh` and `$ROOT/bin/t.sh` the name of the program is known, and the text still has the path.
  const [, path] = /^"?\$.*?[)}\w]"?((?:\/[\w.-]+)+)"?$/.exec(name.text) ?? [];
  return path === undefined ? NOTHING : started({ path: `.${path}`, isBeside: true });
}

const started = (file: Pick<RunFile, 'path' | 'isBeside'>): Inner => ({
  ...NOTHING,
  files: [{ ...file, read: startedFile, isStarted: true }],
});

/** The first line of a script names the program that reads it. */
function startedFile(text: string): Inner {
  const [, program] = /^#![ \t]*(.+)/.exec(text) ?? [];
  if (program === undefined || /sh(?:\s|$)/.test(program)) return runsShell(text);
  const names = program.split(/\s+/).map(programName);
  const language = names.map((name) => interpreterOf(name)?.language).find((found) => found !== undefined);
  return codeIn(text, language ?? 'other', program);
}

type Step = (args: readonly ShellWord[], name: string, around: ScriptAround) => Inner;

const STEPS = new Map<string, Step[]>();
const put = (names: Iterable<string>, step: Step): void => {
  for (const name of names) STEPS.set(name, [...(STEPS.get(name) ?? []), step]);
};
for (const row of WRAPPERS) put(row.names.split(' '), stepOf(row));
for (const row of OPAQUE) put(row.names.split(' '), (args, name) => unwrapOpaque(row, args, name));
put(INTERPRETER_NAMES, (args, name, around) => unwrapInterpreter(interpreterOf(name)!, args, name, around));
for (const row of RUNNING_OPTIONS)
  put(row.names.split(' '), (args, name, around) => unwrapOption(row, args, name, around));
put(SHELL_NAMES, (args, name, around) => unwrapShell(args, name, 'bash', around));
put(OTHER_SHELLS, (args, name, around) => unwrapShell(args, name, 'other', around));
put(
  'fish csh tcsh nu elvish xonsh rc es ion murex powershell pwsh cmd iex Invoke-Expression'.split(' '),
  unwrapOther,
);
put(['awk', 'gawk', 'mawk', 'nawk', 'original-awk'], unwrapAwk);
put(['git'], unwrapGit);
put(['find', 'gfind', 'fd', 'fdfind'], unwrapFind);
put(['sed', 'gsed'], unwrapSed);
put(['source', '.'], unwrapSource);
put(['eval'], (args) => unwrapEval(args));
put(['alias'], (args) =>
  combine(...args.filter((arg) => /=/.test(arg.value)).map((arg) => runsText(behindEquals(arg)))),
);
put(['cmake'], unwrapCmake);
put(['deno'], unwrapDeno);
put(['npm', 'pnpm', 'yarn', 'bun', 'npx'], (_, __, { values }) => {
  const scripts = values.fileText('package.json');
  return scripts === undefined
    ? NOTHING
    : combine(
        ...[...scripts.matchAll(/:\s*"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
          runsText(fixedWord(text.replaceAll(/\\(.)/g, '$1'))),
        ),
      );
});
put(['npm', 'pnpm', 'yarn', 'bun'], runsPackageScript);
put(['run-s', 'run-p', 'npm-run-all', 'npm-run-all2'], runsScriptList);
put(['make', 'gmake'], runsMake);
put(['just'], runsJust);
put(['at', 'batch'], (args, name, { input }) =>
  args.some(({ value }) => /^-[lrcd]/.test(value))
    ? NOTHING
    : fromInput(input, name, (text) => runsText(fixedWord(text))),
);
put(
  'ed red ex sqlite3 sqlite psql mysql mariadb gdb lldb m4 dc bc gnuplot crontab ftp sftp telnet octave'.split(
    ' ',
  ),
  (_, name, { input }) =>
    input?.kind === 'text'
      ? looseIn(input.text.replaceAll(/^(?:[\d*,/-]+\s+){5}|^@\w+\s+/gm, '!'), name)
      : NOTHING,
);
put(['export', 'declare', 'typeset', 'local', 'readonly'], (args, name) => ({
  ...(name !== 'export' && args.some(({ value }) => /^-[a-zA-Z]*n/.test(value))
    ? unjudgeable(`${name} -n makes one name stand for another`)
    : NOTHING),
  settings: args.filter(isSetting),
}));
put(
  'let test [ printf unset read declare typeset local export readonly mapfile readarray getopts wait'.split(
    ' ',
  ),
  (args, name) => {
    const code = args.find((arg) => SUBSCRIPT_CODE.test(arg.literal));
    return code === undefined ? NOTHING : unjudgeable(`${name} evaluates a subscript: ${code.text}`);
  },
);

/** `eval` joins its words and runs the result. */
function unwrapEval(args: readonly ShellWord[]): Inner {
  const words = args[0]?.value === '--' ? args.slice(1) : args;
  const [only, ...more] = words;
  if (only === undefined) return NOTHING;
  return runsText(
    more.length === 0 ? only : { ...only, value: words.map(({ value }) => value).join(' '), fixed: false },
  );
}

/** `deno run -A npm:rimraf x` runs the program of the package. */
function unwrapDeno(args: readonly ShellWord[]): Inner {
  const at = args.findIndex(({ value }) => value.startsWith('npm:'));
  const [, name] = /^npm:\/?((?:@[^/]+\/)?[^/@]+)/.exec(args[at]?.value ?? '') ?? [];
  return name === undefined ? NOTHING : runs([fixedWord(name.split('/').at(-1)!), ...args.slice(at + 1)]);
}

const behindEquals = (word: ShellWord): ShellWord => {
  const value = word.value.slice(word.value.indexOf('=') + 1);
  return word.fixed ? fixedWord(value) : { ...word, value };
};

function stepOf(row: Wrapper): Step {
  switch (row.kind) {
    case 'prefix':
      return (args, name, around) => unwrapPrefix(row, args, name, around);
    case 'joined':
      return (args, name, around) => unwrapJoined(row, args, name, around);
    case 'tails':
      return (args, name) => unwrapTails(row, args, name);
  }
}

function unwrapOpaque(row: Opaque, args: readonly ShellWord[], name: string): Inner {
  if (row.pattern === undefined) return unjudgeable(`${name}: ${row.why}`);
  const sign = args.find((arg) => row.pattern?.test(arg.value));
  return sign === undefined ? NOTHING : unjudgeable(`${name}: ${row.why}: ${clip(sign.text)}`);
}

/** Reads options and operands. `answer` is set if the options already decide what runs. */
function behindOptions(row: Prefix | JoinedWrapper, args: readonly ShellWord[], name: string) {
  const { found, operands, rest, unknown } = readWrapper(row, args);
  const has = (names: readonly string[] | undefined) => found.some((option) => names?.includes(option.name));
  const texts = found
    .filter((option) => row.text?.includes(option.name))
    .flatMap((option) => option.value ?? []);
  // An operand that may become several words, or an option, changes where the command starts.
  for (const operand of operands) if (!operand.single) unknown.push(operand.text);
  const answer = has(row.opaque)
    ? unjudgeable(`${name}: an option hides what is run`)
    : has(row.idle)
      ? NOTHING
      : undefined;
  return { answer, found, rest, texts, unknown, has };
}

function unwrapPrefix(row: Prefix, args: readonly ShellWord[], name: string, around: ScriptAround): Inner {
  const { answer, found, rest: behind, texts, unknown, has } = behindOptions(row, args, name);
  if (answer !== undefined) return answer;
  const program = behind.findIndex((word) => !isSetting(word) && !readsSettings(word));
  const rest =
    row.settings === true && program > 0
      ? behind.filter((word, at) => at >= program || isSetting(word))
      : behind;
  if (unknown.length > 0)
    return combine(tailsOf(args, name), ...args.filter(looksLikeText).map((arg) => runsText(arg)));
  if (texts.length > 0) return combine(...texts.map((text) => runsText(text)));
  const start = rest.findIndex((word) => !isSetting(word));
  const options = rest[start]?.lead.startsWith('-') === true && row.settings === true;
  if (options) return combine(runs(rest.slice(0, start)), unwrapPrefix(row, rest.slice(start), name, around));
  if (start === -1 && (row.readsInput === true || has(row.readsInput || undefined)))
    return combine(
      runs(rest),
      fromInput(around.input, name, (text) => runsText(fixedWord(text))),
    );
  const tokens = found
    .filter((option) => row.token?.includes(option.name))
    .map((option) => option.value?.value ?? '{}');
  const holed = tokens.reduce((list, token) => list.map((word) => withHole(word, token)), rest);
  if (row.appends !== true || start === -1) return runs(holed);
  const file = found.find((option) => option.name === '-a' || option.name === '--arg-file');
  const added = appended(file === undefined ? around.input : file.value?.content);
  if (tokens.length === 0) return runs([...holed, ...added]);
  const filled = added.map((value) =>
    rest.map((word) => tokens.reduce((filled, token) => fill(filled, token, value), word)),
  );
  return combine(runs(holed), runs(...filled));
}

function unwrapJoined(
  row: JoinedWrapper,
  args: readonly ShellWord[],
  name: string,
  around: ScriptAround,
): Inner {
  const { answer, rest, texts, unknown } = behindOptions(row, args, name);
  if (answer !== undefined) return answer;
  const end = row.until === undefined ? -1 : rest.findIndex((word) => row.until?.includes(word.value));
  const words = rest.slice(0, row.only ?? (end === -1 ? undefined : end));
  const doubts = unknown.length > 0 ? tailsOf(args, name) : NOTHING;
  const own = texts.map((text) => runsText(text));
  // `parallel ::: 'a' 'b'`: without a command, each word is one.
  if (words.length === 0 && end !== -1)
    return combine(doubts, ...own, ...rest.slice(end + 1).map((word) => runsText(word)));
  if (words.length === 0)
    return combine(
      doubts,
      ...own,
      row.readsInput === true ? fromInput(around.input, name, (text) => runsText(fixedWord(text))) : NOTHING,
    );
  if (row.each === true) return combine(doubts, ...own, ...words.map((word) => runsText(word)));
  const text = words.map((word) => word.value).join(' ');
  if (row.until !== undefined) {
    const line = text.includes('{') ? text : `${text} {}`;
    const given = rest[end]?.value === ':::' ? rest.slice(end + 1) : [];
    return combine(
      doubts,
      runsText(fixedWord(line), '{'),
      ...given.map((word) =>
        word.fixed ? runsText(fixedWord(line.replaceAll('{}', () => word.text))) : NOTHING,
      ),
    );
  }
  return combine(doubts, ...own, text === '-' ? NOTHING : runsText(fixedWord(text)));
}

function unwrapTails(row: Tails, args: readonly ShellWord[], name: string): Inner {
  const at = row.after === undefined ? 0 : args.findIndex((arg) => row.after?.includes(arg.value)) + 1;
  if (row.after !== undefined && at === 0) return NOTHING;
  const behind = args.slice(at);
  const texts = row.texts === true ? behind.filter(looksLikeText).map(mayRunText) : [];
  return combine(tailsOf(behind, name, row.operands), ...texts);
}

const looksLikeText = (word: ShellWord): boolean => word.fixed && /[\s$`;&|()<>]|^\{/.test(word.value);

/** A word that only run time knows is a container or image before the command, and an argument after it. */
const mayBeName = (before: number, operands: number | undefined, tails: number): boolean =>
  operands === undefined ? before <= 1 : before <= operands && (operands === 0 || tails > 0);

const MOST_TAILS = 256;

/** Every suffix of the words that may be a command. An unknown word may be its name, unless enough words precede it. */
function tailsOf(words: readonly ShellWord[], name: string, operands?: number): Inner {
  if (words.length > MOST_TAILS)
    return unjudgeable(`${name}: ${words.length} words, its command may be any of them`);
  const tails: (readonly ShellWord[])[] = [];
  let before = 0;
  for (const [at, word] of words.entries()) {
    if (word.lead.startsWith('-') || isSetting(word)) continue;
    const option = words[at - 1]?.lead ?? '';
    const mayBeValue = option.startsWith('-') && option !== '--';
    if (word.fixed) tails.push(words.slice(at));
    else if (
      mayBeName(before, operands, tails.length) &&
      !/^[\w./-]+:/.test(word.value) &&
      !(mayBeValue && /[:=]/.test(word.literal))
    )
      return unjudgeable(`${name}: the command's name is known only at run time: ${clip(word.text)}`);
    if (!mayBeValue) before++;
  }
  return runs(...tails);
}
