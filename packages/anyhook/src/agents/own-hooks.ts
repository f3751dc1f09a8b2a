import { agentOf } from './index.ts';
import { OTHER_HOSTS } from './others.ts';

/** Returns the hooks that an agent runs itself. For an unknown agent this is empty. */
export const ownHooksOf = (host: string): readonly string[] =>
  agentOf(host)?.ownHooks ?? (Object.hasOwn(OTHER_HOSTS, host) ? OTHER_HOSTS[host]! : []);
