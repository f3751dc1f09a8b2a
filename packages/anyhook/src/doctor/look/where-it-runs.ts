/** Determines which hooks run in which agent: natively, or by us through its bridge. */

import { ownHooksOf } from '../../agents/own-hooks.ts';
import type { InstallScope } from '../../agents/shared/bridge.ts';
import type { Capabilities } from '../../events/capabilities.ts';
import type { Hook } from '../../events/hook.ts';
import { type BridgeCall, bridgeCallsOf } from '../../gather/bridge-calls.ts';
import { foldersOf } from '../../gather/folders.ts';
import { type FiredElsewhere, firedElsewhere } from '../../library/fired-elsewhere.ts';
import { leftToAgent } from '../../library/left-to-agent.ts';
import type { FoundAgent } from './find-agents.ts';
import type { Inspection } from './inspection.ts';
import type { EventTravel } from './travel.ts';

export interface HostSheet extends FoundAgent {
  readonly bridge: readonly {
    readonly scope: InstallScope;
    readonly file: string;
    readonly isCurrent: boolean;
  }[];
  /** The last session that called our bridge. */
  readonly lastCall?: BridgeCall;
  /** Only for an agent with our bridge. */
  readonly travel?: EventTravel;
  /** Ids of hooks that the agent reads and runs by itself. */
  readonly natively: readonly string[];
  /** Ids of hooks that we run there. Empty without the bridge. */
  readonly bridged: readonly string[];
  /** Ids of prompt hooks that would run through the bridge, which has no model. */
  readonly withoutJudge: readonly string[];
  /** Events of these hooks that the agent lacks, and where they fire instead. */
  readonly moved: readonly (FiredElsewhere & { readonly hooks: number })[];
}

export const whereItRuns = ({
  agents,
  known,
  installed,
  hooks,
  locations,
}: Pick<Inspection, 'agents' | 'known' | 'installed' | 'hooks' | 'locations'>): HostSheet[] =>
  agents.map((found) => {
    const bridge = installed
      .filter(({ agent }) => agent.name === found.agent)
      .map(({ scope, file, isCurrent }) => ({ scope, file, isCurrent }));
    const [lastCall] =
      bridge.length === 0 ? [] : bridgeCallsOf(foldersOf(locations).bridgeCalls, found.agent!);
    const record = known.find(({ name }) => name === found.agent);
    const native = record === undefined ? ownHooksOf(found.program) : leftToAgent(record, locations);
    const isUnfired = ({ matcher }: Hook) => matcher?.includes(record?.neverFires ?? NEVER) === true;
    const isNative = (hook: Hook) => !isUnfired(hook) && native.some((entry) => fits(entry, hook));
    const runs = hooks.filter(({ run }) => run.kind !== 'missing' || run.why.kind === 'not-trusted');
    const others = bridge.length === 0 ? [] : runs.filter((hook) => !isNative(hook));
    const bridged = others.filter(({ run }) => run.kind !== 'prompt');
    return {
      ...found,
      bridge,
      ...(lastCall !== undefined && { lastCall }),
      natively: runs.filter(isNative).map(({ id }) => id),
      bridged: bridged.map(({ id }) => id),
      withoutJudge: others.filter(({ run }) => run.kind === 'prompt').map(({ id }) => id),
      moved: movedAmong(bridged, record?.can),
    };
  });

/** Occurs in no matcher. */
const NEVER = '\0';

function movedAmong(hooks: readonly Hook[], can: Capabilities | undefined): HostSheet['moved'] {
  if (can === undefined) return [];
  const moved = hooks.flatMap((hook) => firedElsewhere(can, hook) ?? []);
  const first = moved.filter(({ from }, i) => moved.findIndex((other) => other.from === from) === i);
  return first.map((move) => ({ ...move, hooks: moved.filter(({ from }) => from === move.from).length }));
}

/** `goose`, or `goose@/part/`: only files whose path contains that part. */
function fits(native: string, { dialect, origin }: Hook): boolean {
  const [name, part = ''] = native.split('@');
  return dialect === name && origin.file.includes(part);
}
