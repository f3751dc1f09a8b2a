import type { OpenEngine } from '../shared/inside.ts';
import { openExtension, type Pi } from './extension.ts';

export const open = (pi: Pi, openEngine: OpenEngine): void =>
  openExtension(pi, openEngine, {
    isSilentWithoutTerminal: false,
    stop: 'agent_before_settle',
    goOn: (content) => ({
      continue: true,
      entries: [{ type: 'custom_message', customType: 'anyhook', content, display: true }],
    }),
  });
