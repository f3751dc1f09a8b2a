/** What is off when a session begins, a line for each cause, with the command to look closer: nothing is off in silence. */
import { agentOf } from '../../agents/index.ts';
import type { Outcome } from '../../canon/outcome.ts';
import { firedElsewhere } from '../console/fired-elsewhere.ts';
import type { Hooks } from '../library/hooks.ts';

/** `host`: the agent we run in, where it is known. */
export function offLines(
  { hooks, examined, disabled }: Pick<Hooks, 'hooks' | 'examined' | 'disabled'>,
  { paused }: Pick<Outcome, 'paused'>,
  host: string | undefined,
): string[] {
  const states = examined.map(({ judgement }) => judgement.state);
  const count = (state: (typeof states)[number]) => states.filter((one) => one === state).length;
  const can = agentOf(host ?? '')?.can;
  const unfired = can === undefined ? [] : hooks.filter((hook) => firedElsewhere(can, hook)?.to === null);
  return [
    ...line(count('unknown'), 'of this project that wait for trust and do not run', 'anyhook trust list'),
    ...line(
      count('modified'),
      'of this project that changed since they were trusted and do not run',
      'anyhook trust list',
    ),
    ...line(
      count('untrustable'),
      'of this project that cannot be trusted and do not run',
      'anyhook trust list',
    ),
    ...line(disabled.length, 'that are switched off', 'anyhook hooks'),
    ...line(
      unfired.length,
      `that are never asked in ${host}, which has no such event`,
      `anyhook list --host ${host}`,
    ),
    ...(paused === true ? ['anyhook: all hooks are paused; to switch them on: anyhook resume'] : []),
  ];
}

const line = (count: number, what: string, look: string): string[] =>
  count === 0 ? [] : [`anyhook: hooks ${what}: ${count}; see: ${look}`];
