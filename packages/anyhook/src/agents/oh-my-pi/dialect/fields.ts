/** Ours and theirs, field by field: `ours: theirs`. What differs by more than the name is written out in `payload.ts`. */
import type { Fields } from '../../../events/effects.ts';
import type { PiEventName } from './names.ts';

const NAMES: { readonly [E in PiEventName]: Readonly<Record<string, string>> } = {
  'session.start': { source: 'source' },
  'session.end': { reason: 'reason' },
  'session.switching': { reason: 'reason', target: 'targetSessionFile' },
  'session.switched': { reason: 'reason', previous: 'previousSessionFile' },
  'session.branching': { entry: 'entryId' },
  'session.branched': { previous: 'previousSessionFile' },
  'session.navigating': {},
  'session.navigated': {
    newLeaf: 'newLeafId',
    oldLeaf: 'oldLeafId',
    summary: 'summaryEntry',
    fromHook: 'fromExtension',
  },
  'prompt.submit': { prompt: 'text' },
  'agent.before': { prompt: 'prompt', images: 'images' },
  'agent.start': {},
  'agent.end': { messages: 'messages' },
  'turn.start': { index: 'turnIndex', timestamp: 'timestamp' },
  'turn.end': { index: 'turnIndex', message: 'message', toolResults: 'toolResults' },
  'model.context': { messages: 'messages' },
  'tool.before': {},
  'tool.after': { content: 'content', details: 'details' },
  'tool.failed': {},
  'compaction.before': {
    trigger: 'trigger',
    instructions: 'customInstructions',
    preparation: 'preparation',
    entries: 'branchEntries',
  },
  'compaction.prompt': { messages: 'messages' },
  'compaction.after': { trigger: 'trigger', entry: 'compactionEntry', fromHook: 'fromExtension' },
  'autocompaction.start': { reason: 'reason', action: 'action' },
  'autocompaction.end': {
    result: 'result',
    aborted: 'aborted',
    willRetry: 'willRetry',
    error: 'errorMessage',
    action: 'action',
    skipped: 'skipped',
  },
  'retry.start': {
    attempt: 'attempt',
    maxAttempts: 'maxAttempts',
    delayMs: 'delayMs',
    error: 'errorMessage',
  },
  'retry.end': { success: 'success', attempt: 'attempt', error: 'finalError' },
  'rule.triggered': { rules: 'rules' },
  'todo.reminder': { todos: 'todos', attempt: 'attempt', maxAttempts: 'maxAttempts' },
};
/** In `session_before_tree` these stand inside `preparation`. */
const TREE = {
  target: 'targetId',
  oldLeaf: 'oldLeafId',
  commonAncestor: 'commonAncestorId',
  entriesToSummarize: 'entriesToSummarize',
  wantsSummary: 'userWantsSummary',
};

export const theirs = (name: PiEventName, load: Fields): Fields => renamed(load, NAMES[name]);
export const oursOf = (name: PiEventName, native: Fields): Fields => renamed(native, flipped(NAMES[name]));
export const treeFieldsOf = (load: Fields): Fields => renamed(load, TREE);
export const fromTree = (preparation: Fields): Fields => renamed(preparation, flipped(TREE));

const renamed = (from: Fields, names: Readonly<Record<string, string>>): Fields =>
  Object.fromEntries(
    Object.entries(names).flatMap(([own, other]) => (from[own] === undefined ? [] : [[other, from[own]]])),
  );
const flipped = (names: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(names).map(([own, other]) => [other, own]));
