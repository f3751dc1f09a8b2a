/** Recognises our own entries and files. */

import { bridgedBy } from './shared/client-command.ts';
import { MODULE_MARK } from './shared/module-file.ts';

/** Whether a handler starts anyhook for this agent. */
export const isOurHandler =
  (agent: string) =>
  ({ command }: Readonly<Record<string, unknown>>): boolean =>
    typeof command === 'string' && bridgedBy(command) === agent;

/** Whether an installation wrote the whole file. */
export const isOurFile = (text: string, agent: string): boolean =>
  text.startsWith(MODULE_MARK) ||
  bridgedBy(text) === agent ||
  /"name": "anyhook"[^]*`anyhook uninstall/.test(text);
