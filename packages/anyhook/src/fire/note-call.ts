import type { Event } from '../events/event.ts';
import { isFields } from '../events/fields.ts';
import { noteBridgeCall } from '../gather/bridge-calls.ts';
import { foldersOf } from '../gather/folders.ts';
import { knownAgent } from '../gather/known-agents.ts';
import { type FireRequest, locationsFor } from './answer.ts';

/** Records that an agent has called its bridge. Call it once per session. */
export function noteCall(request: FireRequest): void {
  const { asked, event } = request;
  if (asked.host === undefined) return;
  const folders = foldersOf(locationsFor(request));
  const { name } = asked.host;
  const field = knownAgent(name, () => folders)?.versionField ?? null;
  noteBridgeCall(folders.bridgeCalls, {
    agent: name,
    session: event.ids.session,
    version: field === null ? undefined : versionIn(event, field),
  });
}

function versionIn({ raw }: Event, field: string): string | undefined {
  const value = isFields(raw) ? raw[field] : undefined;
  return typeof value === 'string' ? value : undefined;
}
