/** The `undo` settings of the user, for commands that run beside the agents. */

import { findDialect } from '../dialects.ts';
import type { Locations } from '../events/dialect.ts';
import { DEFAULT_UNDO, mergedUndo, type UndoChoice, type UndoSettings } from '../events/undo-settings.ts';
import { loadSettings } from '../settings/load.ts';

/** Undefined: undo is off. */
export function undoChoice(locations: Required<Locations>): UndoSettings | undefined {
  const own = findDialect('anyhook');
  const { settings } = loadSettings(own === undefined ? [] : [own], locations, ['managed', 'user']);
  return mergedUndo(settings.flatMap(({ values }) => (values['undo'] as UndoChoice | undefined) ?? []));
}
/** Of what was stored earlier, also after undo was switched off. */
export const undoSettings = (locations: Required<Locations>): UndoSettings =>
  undoChoice(locations) ?? DEFAULT_UNDO;
