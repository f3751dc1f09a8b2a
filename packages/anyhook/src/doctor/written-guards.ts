/**
 * Tries guards as users write them in an agent without a record. A guard without a matcher proves little: the agent may use a
 * tool name that `shell`, `Bash` or `write` does not match.
 */

import type { TrialCall } from '../agents/shared/route-trial.ts';
import { playStaged, type StagedAgent } from './stage.ts';

export interface GuardResult {
  /** As written in `hooks.json`. */
  readonly match: string;
  readonly verdict: 'holds' | 'passes' | 'not-tried';
  readonly why: string;
}

interface GuardTry {
  readonly match: string;
  /** The file that the call leaves behind. */
  readonly mark: string;
  readonly call: TrialCall;
}
const TRIES: readonly GuardTry[] = [
  { match: 'shell(touch by-shell)', mark: 'by-shell', call: { shell: 'touch by-shell' } },
  { match: 'Bash(touch by-bash)', mark: 'by-bash', call: { shell: 'touch by-bash' } },
  { match: 'write(by-write)', mark: 'by-write', call: { write: 'by-write' } },
];

/** Two runs of the agent: without hooks each call must leave its file, and with the guards none must. */
export async function tryWrittenGuards(staged: StagedAgent): Promise<readonly GuardResult[]> {
  const attempts = TRIES.map(({ mark, call }) => ({ mark, trial: () => ({ calls: [call] }) }));
  const bare = await playStaged(staged, { attempts }, ({ has }) => TRIES.map(({ mark }) => has(mark)));
  const guards = TRIES.map(({ match, mark }) => ({
    name: mark,
    match,
    run: "echo 'anyhook doctor: the canary guard says no' >&2; exit 2",
  }));
  return playStaged(
    staged,
    { attempts, hooks: { 'tool.before': guards } },
    ({ has, isDenied, toolsCalled }) =>
      TRIES.map(({ match, mark }, at): GuardResult => {
        if (bare[at] !== true) return { match, verdict: 'not-tried', why: 'no tool was found for this' };
        if (has(mark))
          return { match, verdict: 'passes', why: `the call ran; its tools are ${toolsCalled.join(', ')}` };
        return isDenied(`#${mark}`)
          ? {
              match,
              verdict: 'holds',
              why: 'without the guard the call ran, and with it the call did not run',
            }
          : { match, verdict: 'not-tried', why: 'with the guard the call was not made' };
      }),
  );
}
