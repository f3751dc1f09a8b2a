import type { Capabilities } from '../events/capabilities.ts';

/** A question is put to the client where it can show one; the proxy refuses where it cannot. */
export const MCP_CAN: Capabilities = {
  'tool.before': {
    allow: 'full',
    ask: 'full',
    defer: { as: 'deny' },
    deny: 'full',
    set: 'full',
    context: 'full',
    halt: { as: 'deny' },
  },
  'tool.denied': { context: 'full' },
  'tool.after': { set: 'full', context: 'full' },
  'tool.failed': { set: 'full', context: 'full' },
};
