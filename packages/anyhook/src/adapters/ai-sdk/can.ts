import type { Capabilities } from '../../events/capabilities.ts';

/**
 * Capabilities of an agent that uses only `wrapTools` and `hookMiddleware`, for `host.can`. Hooks of missing events
 * (permission, prompt, stop) fire at the nearest existing event or not at all. Add the events that your program fires itself.
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
