import { openExtension, type Pi } from '../pi/extension.ts';
import type { OpenEngine } from '../shared/inside.ts';

export const open = (pi: Pi, openEngine: OpenEngine): void =>
  openExtension(pi, openEngine, {
    isSilentWithoutTerminal: true,
    stop: 'session_stop',
    goOn: (content) => ({ continue: true, additionalContext: content }),
  });
