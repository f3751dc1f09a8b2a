/** Which hooks would run in which agent: by the agent itself, and by us through its bridge. */
import type { Hook } from '../../canon/hook.ts';
import { ownHooksOf } from '../../agents/own-hooks.ts';
import type { FoundAgent } from './look/find-agents.ts';
import type { Looked } from './look/looked.ts';

export interface HostSheet extends FoundAgent {
  readonly bridge: readonly {
    readonly scope: 'user' | 'project';
    readonly file: string;
    readonly isCurrent: boolean;
  }[];
  /** Ids: the agent reads their file and runs them by itself. */
  readonly natively: readonly string[];
  /** Ids: we run them there. Empty without the bridge. */
  readonly bridged: readonly string[];
}

export const whereItRuns = ({
  agents,
  installed,
  hooks,
}: Pick<Looked, 'agents' | 'installed' | 'hooks'>): HostSheet[] =>
  agents.map((found) => {
    const bridge = installed
      .filter(({ agent }) => agent === found.agent)
      .map(({ scope, file, isCurrent }) => ({ scope, file, isCurrent }));
    const native = ownHooksOf(found.agent ?? found.program);
    const isNative = (hook: Hook) => native.some((one) => fits(one, hook));
    const runs = hooks.filter(({ run }) => run.kind !== 'missing' || run.why.kind === 'not-trusted');
    return {
      ...found,
      bridge,
      natively: runs.filter(isNative).map(({ id }) => id),
      bridged: bridge.length === 0 ? [] : runs.filter((hook) => !isNative(hook)).map(({ id }) => id),
    };
  });

/** `goose`, or `goose@/part/`: only files with that in their path. */
function fits(native: string, { dialect, origin }: Hook): boolean {
  const [name, part = ''] = native.split('@');
  return dialect === name && origin.file.includes(part);
}
