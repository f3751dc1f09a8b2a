import type { Capabilities } from '../../../events/capabilities.ts';

/**
 * How Codex 0.166.0 applies answers: observed where docs/compatibility.md marks it, otherwise from its documents.
 * Invalid answers fail open.
 */
export const can: Capabilities = {
  'session.start': { context: 'full', notice: 'full', halt: 'full' },
  'session.end': {},
  'prompt.submit': {
    deny: 'full',
    ask: { as: 'deny' },
    context: 'full',
    notice: 'full',
    halt: 'full',
  },
  // A bare `allow` is rejected; it is only accepted with a change.
  'tool.before': {
    deny: 'full',
    ask: { as: 'deny' },
    defer: { as: 'deny' },
    set: 'full',
    context: 'full',
    notice: 'full',
  },
  // No answer means that Codex asks the user as usual.
  'tool.permission': { allow: 'full', deny: 'full', ask: 'full', defer: 'full' },
  // The tool result can be replaced by a text.
  'tool.after': { set: 'full', context: 'full', notice: 'full', halt: 'full' },
  'subagent.start': { context: 'full', notice: 'full' },
  'subagent.stop': { resume: 'full', halt: 'full', notice: 'full' },
  'turn.stop': { resume: 'full', halt: 'full', notice: 'full' },
  'compaction.before': { cancel: 'full', notice: 'full' },
  'compaction.after': { notice: 'full' },
  other: { notice: 'full' },
};
