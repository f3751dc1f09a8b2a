/** Assigns a role to each word of a simple command, from the tables of programs, wrappers and interpreters. */

import { interpreterOf } from '../interpreters.ts';
import { hasTrait, hiddenCodeOf } from '../programs.ts';
import { OTHER_SHELLS, readShellOptions, SHELL_NAMES } from '../unwrap-shell.ts';
import { unwrap } from '../unwrap.ts';
import { Values } from '../values.ts';
import { programName } from '../word.ts';
import { fixedWord, HOLE } from '../word.ts';
import { type Prefix, readWrapper, WRAPPERS } from '../wrappers.ts';
import { assignByFile } from './file-roles.ts';
import { assignInterpreter } from './interpreter-roles.ts';
import {
  CHDIR,
  type CommandRoles,
  fromOf,
  type PlacedWord,
  type ScriptWords,
  type WordRole,
} from './word-role.ts';

const SHELLS = new Set([...SHELL_NAMES, ...OTHER_SHELLS]);
const PREFIXES = new Map(
  WRAPPERS.flatMap((row) =>
    row.kind === 'prefix' ? row.names.split(' ').map((name) => [name, row]) : [],
  ) as [string, Prefix][],
);
/** Programs that start the rest of their words on this machine, perhaps after one of these subcommands. */
const RUNNING = ['run', 'exec', 'dlx', 'x'];
const STARTERS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...'npx bunx pnpx uvx cross-env dotenv setpriv caffeinate chronic'
    .split(' ')
    .map((name) => [name, []] as const),
  ...'uv poetry pipenv pdm rye hatch conda bundle mise direnv npm pnpm yarn'
    .split(' ')
    .map((name) => [name, RUNNING] as const),
]);

export function rolesOf(words: ScriptWords): CommandRoles {
  const found: CommandRoles = { roles: words.map(() => ({ as: 'read' })), doubts: [], programs: [] };
  const placed = words.map((value, index): PlacedWord => {
    const word = value === undefined ? { ...HOLE, value: '', text: '' } : fixedWord(value);
    return { ...word, index, whole: word.value.length };
  });
  let at = 0;
  while (at < words.length) {
    const next = assignCommand(words, placed, at, found);
    if (next === undefined) break;
    at = next;
  }
  return found;
}

/** Assigns the roles of one command. Returns the position of the command that it starts, if any. */
function assignCommand(
  words: ScriptWords,
  placed: readonly PlacedWord[],
  at: number,
  found: CommandRoles,
): number | undefined {
  const name = words[at];
  if (name === undefined) return void (found.roles[at] = { as: 'run' });
  found.roles[at] = name.includes('/') ? { as: 'run', language: 'exec' } : { as: 'program' };
  const base = programName(name);
  const args = placed.slice(at + 1);
  const prefix = PREFIXES.get(base);
  if (prefix !== undefined) return behindPrefix(prefix, args, found);
  const subs = STARTERS.get(base);
  if (subs !== undefined) {
    found.doubts.push(`${base} ${hiddenCodeOf(base, []) ?? 'may find programs in the project'}`);
    return behindStarter(subs, words, at, found);
  }
  assign(base, words, args, at, found);
  return undefined;
}

function behindPrefix(row: Prefix, args: readonly PlacedWord[], found: CommandRoles): number | undefined {
  const { found: options, rest } = readWrapper(row, args);
  for (const { name, value } of options) {
    if (value === undefined) continue;
    const isText = row.text?.includes(name) === true || row.opaque?.includes(name) === true;
    found.roles[value.index] = isText ? { as: 'script', from: fromOf(value) } : { as: 'named' };
    if (CHDIR.has(name)) found.moved = { word: value.index, from: value.index + 1, skip: fromOf(value) };
  }
  if (options.some(({ name }) => row.idle?.includes(name))) return undefined;
  const start = row.settings === true ? rest.findIndex(({ value }) => !/^\w+=/.test(value)) : 0;
  for (const { index } of start === -1 ? rest : rest.slice(0, start)) found.roles[index] = { as: 'setting' };
  const command = rest[start];
  if (command === undefined && row.readsInput !== undefined) found.readsInput = 'shell';
  if (row.appends === true) found.doubts.push('xargs adds words that are only known when it runs');
  return command?.index;
}

function behindStarter(
  subs: readonly string[],
  words: ScriptWords,
  at: number,
  found: CommandRoles,
): number | undefined {
  let i = at + 1;
  if (subs.length > 0) {
    if (!subs.includes(words[i] ?? '')) return undefined;
    found.roles[i++] = { as: 'option' };
  }
  for (; i < words.length; i++) {
    const word = words[i];
    if (word?.startsWith('-') === true) found.roles[i] = { as: 'option' };
    else if (word !== undefined && /^\w+=/.test(word)) found.roles[i] = { as: 'setting' };
    else return i;
  }
  return undefined;
}

function assign(
  base: string,
  words: ScriptWords,
  args: readonly PlacedWord[],
  at: number,
  found: CommandRoles,
): void {
  const rest = (role: WordRole): void => void found.roles.fill(role, at + 1);
  const interpreter = interpreterOf(base);
  if (SHELLS.has(base)) assignShell(args, found);
  else if (interpreter !== undefined) assignInterpreter(interpreter, base, args, found);
  else if (base === '.' || base === 'source') {
    const operand = words[at + 1] === '--' ? at + 2 : at + 1;
    if (operand < words.length) found.roles[operand] = { as: 'source', language: 'shell' };
  } else if (base === 'eval' || base === 'watch') rest({ as: 'script' });
  else if (base === 'trap') found.roles[at + 1] = { as: 'script' };
  else if (hasTrait(base, 'names')) rest({ as: 'named' });
  else if (hasTrait(base, 'writes')) rest({ as: 'written' });
  else assignByFile(base, args, found);
  if (SHELLS.has(base) || interpreter !== undefined || words[at]?.includes('/') === true) return;
  const doubt = hiddenCodeOf(base, words.slice(at));
  if (doubt !== undefined) return void (doubt !== '' && found.doubts.push(`${base}: ${doubt}`));
  if (!hasTrait(base, 'plain')) found.programs.push(base);
  else if (base !== 'eval' && base !== 'trap' && base !== '.' && base !== 'source') {
    const inner = unwrap(args.length === 0 ? [fixedWord(base)] : [fixedWord(base), ...args], {
      values: new Values(),
    });
    const runs = [
      ...inner.commands.map((command) => command[0]?.value ?? ''),
      ...inner.texts.map(({ text }) => text),
    ];
    if (runs.length + inner.unjudgeable.length > 0)
      found.doubts.push(
        `${base} runs other commands: ${[...runs, ...inner.unjudgeable].join(', ').slice(0, 80)}`,
      );
  }
}

function assignShell(args: readonly PlacedWord[], found: CommandRoles): void {
  const { roles } = found;
  const { letters, files, rest } = readShellOptions(args);
  const options = args.slice(0, args.length - rest.length);
  for (const { index, value } of options) if (/^[-+]./.test(value)) roles[index] = { as: 'option' };
  for (const { index } of files) roles[index] = { as: 'run', language: 'shell' };
  const [program] = rest;
  if (program === undefined || (letters.includes('s') && !letters.includes('c'))) found.readsInput = 'shell';
  else roles[program.index] = letters.includes('c') ? { as: 'script' } : { as: 'run', language: 'shell' };
}

/** A program whose words these tables describe, wherever it is installed. */
export const isKnownProgram = (base: string): boolean =>
  PREFIXES.has(base) ||
  STARTERS.has(base) ||
  SHELLS.has(base) ||
  hasTrait(base, 'plain') ||
  interpreterOf(base) !== undefined ||
  hiddenCodeOf(base, []) !== undefined;
