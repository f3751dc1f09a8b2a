import type { Hooks } from './types/index.ts';

/** The type requires every hook. Hooks that are not functions have their own readers. */
const KINDS: Readonly<Record<keyof Hooks, 'call' | 'tools' | 'auth' | 'provider'>> = {
  event: 'call',
  config: 'call',
  dispose: 'call',
  tool: 'tools',
  auth: 'auth',
  provider: 'provider',
  'chat.message': 'call',
  'chat.params': 'call',
  'chat.headers': 'call',
  'permission.ask': 'call',
  'command.execute.before': 'call',
  'tool.execute.before': 'call',
  'tool.execute.after': 'call',
  'shell.env': 'call',
  'tool.definition': 'call',
  'experimental.chat.messages.transform': 'call',
  'experimental.chat.system.transform': 'call',
  'experimental.session.compacting': 'call',
  'experimental.compaction.autocontinue': 'call',
  'experimental.text.complete': 'call',
  'experimental.provider.small_model': 'call',
};

export const HOOK_NAMES = Object.keys(KINDS) as readonly (keyof Hooks)[];
export const isHookName = (name: string): name is keyof Hooks => Object.hasOwn(KINDS, name);
/** Hooks that are functions. */
export const CALL_NAMES = HOOK_NAMES.filter((name) => KINDS[name] === 'call');
