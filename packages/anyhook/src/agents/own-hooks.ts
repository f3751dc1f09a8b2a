import { agentOf } from './index.ts';
import { OTHER_HOSTS } from './others.ts';

/** What is left to an agent, because it runs it by itself. One that nobody knows runs, as far as we know, none of it. */
export const ownHooksOf = (host: string): readonly string[] =>
  agentOf(host)?.ownHooks ?? (Object.hasOwn(OTHER_HOSTS, host) ? OTHER_HOSTS[host]! : []);
