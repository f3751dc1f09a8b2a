import type { Capabilities } from '../../events/capabilities.ts';

/**
 * What an agent can do with hooks by `wrapTools` and `hookMiddleware` alone: for `host.can`. Hooks of events that are not
 * here (a permission that is asked, a prompt, a stop) are fired at the nearest one that is, or not at all: add what your
 * program fires itself.
 */
export const AI_SDK_CAN: Capabilities = Object.freeze({
  'model.context': { set: 'full' },
  'model.system': { set: 'full' },
  'model.parameters': { set: 'full' },
  'model.text': { set: 'full' },
  'tool.before': {
    allow: 'full',
    ask: 'full',
    defer: 'full',
    deny: 'full',
    set: 'full',
    context: 'full',
    halt: { as: 'deny' },
  },
  'tool.denied': { context: 'full' },
  'tool.after': { set: 'full', context: 'full' },
  'tool.failed': { set: 'full', context: 'full' },
});
