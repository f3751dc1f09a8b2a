/** One hook of a plugin: what it is shown, what its writing to `output` means, and the way back. */
import { diff } from '../../../events/changes.ts';
import type { Change, Effect, Fields } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';

export interface Row {
  write(load: Fields, event: Event): { readonly input: Fields; readonly output?: Fields };
  /** The effects, or what is wrong with what was left. */
  changes(after: Fields, shown: Fields, event: Event): Effect[] | string;
  /** Our payload, from what an agent hands to its plugins. */
  read(input: Fields, output: Fields): Fields;
}

/** Fields that go by one name on both sides. `blank`: what is shown where the host has none. */
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
