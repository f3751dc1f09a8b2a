import type { Capabilities } from '../../../events/capabilities.ts';

/** What Codex 0.166.0 does with an answer: seen where docs/compatibility.md says so, from its documents otherwise. What a hook gets wrong fails open. */
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
  // A bare `allow` is rejected: it goes only with a change.
  'tool.before': {
    deny: 'full',
    ask: { as: 'deny' },
    defer: { as: 'deny' },
    set: 'full',
    context: 'full',
    notice: 'full',
  },
  // To answer nothing is to ask: the person is about to be asked.
  'tool.permission': { allow: 'full', deny: 'full', ask: 'full', defer: 'full' },
  // What the tool returned can be replaced by a text.
  'tool.after': { set: 'full', context: 'full', notice: 'full', halt: 'full' },
  'subagent.start': { context: 'full', notice: 'full' },
  'subagent.stop': { resume: 'full', halt: 'full', notice: 'full' },
  'turn.stop': { resume: 'full', halt: 'full', notice: 'full' },
  'compaction.before': { cancel: 'full', notice: 'full' },
  'compaction.after': { notice: 'full' },
  other: { notice: 'full' },
};
