/** Validates definitions given in code. Errors are thrown with the index, because they are errors of the program. */

import { isPlain } from '../../../events/changes.ts';
import type { Hook } from '../../../events/hook.ts';
import { nearest, type Problem } from '../../../events/problems.ts';
import { hookFromEntry, OPTA_LONGEST_MS, neverMatches, SHORTEST_MS } from '../dialect/definition.ts';
import { OPTA_EVENTS } from '../dialect/names.ts';
import type { AnyHookDefinition } from './types.ts';

const FILE = '(definitions)';

/** The value comes from code, so it may have any type. */
export function checkedList(given: unknown): readonly AnyHookDefinition[] {
  if (given === undefined) return [];
  if (!Array.isArray(given)) throw new TypeError(`hooks is ${shown(given)}; expected a list of definitions`);
  for (const [index, one] of given.entries())
    if (!isPlain(one)) throw new TypeError(`hooks[${index}] is ${shown(one)}; expected a definition`);
  return given as readonly AnyHookDefinition[];
}

export function hookOf(definition: AnyHookDefinition, index: number): Hook {
  checkEvent(definition.event, index);
  checkTimeout(definition.timeout, index);
  const [key, text] =
    definition.type === 'prompt' ? ['prompt', definition.prompt] : ['command', definition.command];
  if (typeof text !== 'string')
    throw new TypeError(`hooks[${index}].${key} is ${JSON.stringify(text) ?? 'missing'}; expected a string`);
  try {
    return hookFromEntry(definition, { layer: 'session', file: FILE, index, line: index + 1 });
  } catch (error) {
    const what = `hooks[${index}].matcher ${JSON.stringify(definition.matcher)} is not a valid regular expression`;
    throw new SyntaxError(`${what}: ${(error as Error).message}`, { cause: error });
  }
}

function checkEvent(event: string, index: number): void {
  if (OPTA_EVENTS.some((known) => known === event)) return;
  const near = nearest(String(event), OPTA_EVENTS);
  const remedy = near === undefined ? `known are ${OPTA_EVENTS.join(', ')}` : `did you mean "${near}"?`;
  throw new TypeError(`hooks[${index}].event ${JSON.stringify(event)} is not an Opta event; ${remedy}`);
}

/** Like in a file, except that a program does not read warnings: an invalid timeout would let a guard pass. */
function checkTimeout(timeout: unknown, index: number): void {
  if (timeout === undefined) return;
  if (typeof timeout === 'number' && timeout >= SHORTEST_MS && timeout <= OPTA_LONGEST_MS) return;
  const range = `milliseconds from ${SHORTEST_MS} to ${OPTA_LONGEST_MS} are expected`;
  throw new RangeError(`hooks[${index}].timeout is ${shown(timeout)}, ${range}`);
}

const shown = (value: unknown): string =>
  typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? typeof value);

export function definitionProblems(definition: AnyHookDefinition, index: number): Problem[] {
  const message = neverMatches(definition);
  if (message === null) return [];
  const [key, remedy] = [`hooks[${index}].matcher`, 'Leave the matcher out.'];
  return [{ code: 'matcher-unused', file: FILE, key, message, remedy, severity: 'warning' }];
}
