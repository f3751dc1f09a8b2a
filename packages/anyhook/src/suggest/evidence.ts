/** What recorded sessions show about shell commands: which were approved or refused by the user, and which ran. */

import { isFields } from '../events/fields.ts';
import type { ReadRecord } from '../journal/index.ts';
import { plainCommand } from '../shell/plain-command.ts';

/** `open`: nothing shows what became of the question. `undone`: it ran, and the user put its changes back. */
export type CommandFate = 'approved' | 'refused' | 'ran' | 'denied' | 'open' | 'undone';

/** One shell call that was recorded whole. */
export interface RecordedCommand {
  readonly record: ReadRecord;
  readonly command: string;
  readonly exact: string;
  readonly shape: string;
  readonly folder: string;
  /** `approved` and `refused`: by the user. `denied`: by hooks. */
  readonly fate: CommandFate;
}

/** Results of calls, by session and call id. */
class CallResults {
  readonly #events = new Map<string, Set<string>>();

  constructor(records: readonly ReadRecord[]) {
    for (const { event, ids, late } of records) {
      if (late === true || ids.call === undefined || event === 'tool.before') continue;
      const key = JSON.stringify([ids.session, ids.call]);
      this.#events.set(key, (this.#events.get(key) ?? new Set()).add(event));
    }
  }
  has({ ids }: ReadRecord, ...names: readonly string[]): boolean {
    const events = this.#events.get(JSON.stringify([ids.session, ids.call]));
    return events !== undefined && names.some((name) => events.has(name));
  }
}

/** `undone` has the ids of snapshots of calls that the user put back. */
export function recordedCommands(
  records: readonly ReadRecord[],
  undone: ReadonlySet<string>,
): readonly RecordedCommand[] {
  const results = new CallResults(records);
  return records.flatMap((record) => {
    const { event, late, redacted = 0, cut = 0, before, after, scene, paused } = record;
    // A record without all of its text may belong to another command than it shows.
    if (event !== 'tool.before' || late === true || paused === true || redacted > 0 || cut > 0) return [];
    const command = commandOf(after ?? before);
    const plain = command === undefined ? undefined : plainCommand(command);
    if (command === undefined || plain === undefined) return [];
    const fate = isUndone(record, undone) ? 'undone' : fateOf(record, results);
    return [{ record, command, ...plain, folder: scene.cwd, fate }];
  });
}

const isUndone = ({ undo }: ReadRecord, undone: ReadonlySet<string>): boolean =>
  undo !== undefined && 'id' in undo && undone.has(undo.id);

function commandOf(payload: unknown): string | undefined {
  if (!isFields(payload) || payload['tool'] !== 'shell' || !isFields(payload['input'])) return undefined;
  const { command } = payload['input'];
  return typeof command === 'string' ? command : undefined;
}

function fateOf(record: ReadRecord, results: CallResults): CommandFate {
  const { verdict, approval } = record;
  if (approval !== undefined)
    return approval.kind === 'refuse' ? 'refused' : approval.kind === 'waiting' ? 'open' : 'approved';
  if (verdict === 'deny' || verdict === 'defer') return 'denied';
  if (verdict !== 'ask') return 'ran';
  // The agent asked its own user.
  if (results.has(record, 'tool.denied')) return 'refused';
  return results.has(record, 'tool.after', 'tool.failed') ? 'approved' : 'open';
}
