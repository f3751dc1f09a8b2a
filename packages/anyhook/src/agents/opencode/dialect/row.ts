/** One hook of a plugin: its arguments, the effects of changed output, and the reverse. */

import { diff } from '../../../events/changes.ts';
import type { Change, Effect, Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';

export interface Row {
  write(load: Fields, event: Event): { readonly input: Fields; readonly output?: Fields };
  /** The effects, or what is wrong with the changed output. */
  changes(after: Fields, shown: Fields, event: Event): Effect[] | string;
  /** Our payload from the agent's plugin arguments. */
  read(input: Fields, output: Fields): Fields;
}

/** Fields with the same name on both sides. `blank` is used if the host has no value. */
export function sameNames(
  fields: readonly string[],
  blank: Fields,
  input: (load: Fields, event: Event) => Fields,
  read: (input: Fields) => Fields,
): Row {
  return {
    write: (load, event) => ({
      input: input(load, event),
      output: { ...blank, ...picked(load, fields) },
    }),
    changes: (after, shown) => fields.flatMap((field) => changesTo(field, shown, after)),
    read: (from, output) => ({ ...read(from), ...blank, ...picked(output, fields) }),
  };
}

export function changesTo(field: string, shown: Fields, after: Fields): Change[] {
  const [was, is] = [shown[field], after[field]];
  if (is === undefined) return was === undefined ? [] : [{ kind: 'set', at: [field] }];
  return diff(field, was, is);
}

export const picked = (from: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
