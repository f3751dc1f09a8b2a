import {
  type ScriptAround,
  fromInput,
  type Inner,
  isInput,
  NOTHING,
  runsText,
  combine,
  unjudgeable,
} from './inner.ts';
import { readOptions } from './options.ts';
import { unescapedOutput } from './outputs.ts';
import { clip, fixedWord, type ShellWord } from './word.ts';

const OPTIONS = {
  short: 'F:v:f:bcCd::D::E:e:gh::i:I:k:l:L::M:nNo::OPp::rsStV',
  long: 'field-separator: assign: file: source: exec: include: load: lint:: re-interval sandbox posix traditional version',
};

/** Most awk programs only print. A program that calls `system` or uses a pipe runs a shell. */
export function unwrapAwk(args: readonly ShellWord[], name: string, around: ScriptAround): Inner {
  const { found, rest } = readOptions(args, OPTIONS);
  const valuesOf = (...options: string[]) =>
    found.flatMap((option) => (options.includes(option.name) ? (option.value ?? []) : []));
  const files = valuesOf('-f', '--file', '-E', '--exec');
  const given = valuesOf('-e', '--source');
  const loaded = valuesOf('-l', '--load', '-i', '--include');
  const programs = files.length + given.length > 0 ? given : rest.slice(0, 1);
  const inputs = files
    .filter(isInput)
    .map(() => fromInput(around.input, name, (text) => programIn(text, name)));
  const texts = files.flatMap(({ value }) => around.values.fileText(value) ?? []);
  return combine(
    ...inputs,
    loaded.length > 0 ? unjudgeable(`${name} loads code: ${clip(loaded[0]?.text ?? '')}`) : NOTHING,
    ...[...programs.map(({ value }) => value), ...texts].map((text) => programIn(text, name)),
  );
}

const LONGEST = 8 * 1024;
const STRING = /"((?:[^"\\]|\\.)*)"/g;
/** A quote between slashes may be part of a pattern, so the start of a string is unclear. */
const QUOTE_IN_PATTERN = /\/[^/\n]*"[^/\n]*\//;
const RUNS = /system\s*\(|\|&?\s*getline|@\s*\w/;
const PIPE = /(?<!\|)\|&?(?!\|)\s*["A-Za-z_$]/;

function printsIntoPipe(statement: string): boolean {
  const at = statement.search(/\bprintf?\b/);
  return at !== -1 && PIPE.test(statement.slice(at));
}

function programIn(program: string, name: string): Inner {
  if (program.length > LONGEST) return unjudgeable(`${name}: its program is too long`);
  const isClear = !QUOTE_IN_PATTERN.test(program);
  const bare = isClear ? program.replaceAll(STRING, '""') : program;
  const prints = bare.split(/[;{}\n]/).some(printsIntoPipe);
  if (!RUNS.test(bare) && !prints) return NOTHING;
  const texts = [...program.matchAll(STRING)].map(([, text = '']) =>
    unescapedOutput(text.replaceAll(/\\(["/])/g, '$1')),
  );
  const commands = texts.filter((text) => /[A-Za-z]/.test(text));
  const isSeen =
    isClear &&
    commands.length > 0 &&
    !/(?:system\s*\(|\|&?)\s*[$A-Za-z_(]/.test(bare.replaceAll(/\|\s*getline/g, ''));
  return combine(
    ...commands.map((text) => runsText(fixedWord(text))),
    isSeen
      ? NOTHING
      : unjudgeable(`${name}: its program runs a command known only at run time: ${clip(program)}`),
  );
}
