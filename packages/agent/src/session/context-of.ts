/** The messages of a branch as the model sees them; compacted messages appear as their summary. */

import { type Entry, isKnown } from './entry.ts';
import type { CustomMessage, Message } from './message.ts';

export interface PlacedMessage {
  readonly entry: string;
  readonly message: Message;
}

export function contextOf(branch: readonly Entry[]): PlacedMessage[] {
  const last = branch.findLastIndex(({ type }) => type === 'compaction');
  const compaction = branch[last];
  if (compaction?.type !== 'compaction') return branch.flatMap(placed);
  const kept =
    compaction.firstKeptEntryId === ''
      ? -1
      : branch.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  const summary: PlacedMessage = {
    entry: compaction.id,
    message: {
      role: 'compactionSummary',
      summary: compaction.summary,
      timestamp: Date.parse(compaction.timestamp),
    },
  };
  return [
    summary,
    ...(kept === -1
      ? []
      : branch
          .slice(kept, last)
          .filter(({ type }) => type !== 'compaction')
          .flatMap(placed)),
    ...branch.slice(last + 1).flatMap(placed),
  ];
}

function placed(entry: Entry): PlacedMessage[] {
  const message = isKnown(entry) ? messageOf(entry) : undefined;
  return message === undefined ? [] : [{ entry: entry.id, message }];
}

function messageOf(entry: Entry): Message | undefined {
  const timestamp = Date.parse(entry.timestamp);
  switch (entry.type) {
    case 'message':
      return entry.message;
    case 'custom_message':
      return {
        role: 'custom',
        customType: entry.customType,
        content: entry.content as CustomMessage['content'], // Kept as the hook sent it.
        display: entry.display,
        ...(entry.details !== undefined && { details: entry.details }),
        timestamp,
      };
    case 'branch_summary':
      return { role: 'branchSummary', summary: entry.summary, timestamp };
    default:
      return undefined;
  }
}
