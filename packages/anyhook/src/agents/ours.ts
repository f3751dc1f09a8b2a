/** What of a file is ours. */
import { bridgedBy } from './shared/client-command.ts';
import { MODULE_MARK } from './shared/module-file.ts';

/** A handler that starts us for this agent. */
export const isOurHandler =
  (agent: string) =>
  ({ command }: Readonly<Record<string, unknown>>): boolean =>
    typeof command === 'string' && bridgedBy(command) === agent;

/** A file that an install wrote as a whole. */
export const isOurFile = (text: string, agent: string): boolean =>
  text.startsWith(MODULE_MARK) ||
  bridgedBy(text) === agent ||
  /"name": "anyhook"[^]*`anyhook uninstall/.test(text);
