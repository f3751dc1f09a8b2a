/** Hooks that refuse tool calls in place of guards whose file could not be read. */

import { missingOwnHook } from '../agents/anyhook/dialect/definition.ts';
import type { Hook, Layer } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import { isReaderFailure } from '../events/safe-readers.ts';
import type { UnreadFile } from '../settings/load.ts';
import type { Gate } from './gate.ts';

/**
 * A file of ours of which nothing could be read may have held a guard, so tool calls are refused until it is corrected. The
 * same holds for a file of another dialect whose reader threw: its agent might well have read it. Files of other dialects that
 * are malformed are reported only, as those agents do it. A project's file blocks only if something of it was trusted before.
 */
export function lostGuards({ dialect, place, problem }: UnreadFile, gate: Gate | undefined): Hook[] {
  if (dialect !== 'anyhook' && !isReaderFailure(problem)) return [];
  if (place.layer === 'project' && gate?.knows(place.file) !== true) return [];
  return [lostGuard(place.layer, problem)];
}

export const lostGuard = (layer: Layer, { file, line = 1, message }: Problem): Hook =>
  missingOwnHook(
    'tool.before',
    file,
    { layer, file, line },
    { kind: 'not-loaded', detail: `${file}: ${message}` },
  );
