/** Nothing is off in silence: said when a session begins, and with the first call that a waiting hook did not see. */
import type { HostOptions } from '../../assembly/options.ts';
import type { EventName } from '../../canon/events.ts';
import { type Hook, isOrganisations, label } from '../../canon/hook.ts';
import { type Outcome, outcomeOf, type Ruling } from '../../canon/outcome.ts';
import { type Problem, show } from '../../canon/problems.ts';
import { decides } from '../../canon/roles.ts';
import { firedElsewhere } from './fired-elsewhere.ts';
import type { Hooks } from './hooks.ts';

/** A line for each cause, with the command to look closer. */
export function offLines(
  { hooks, examined, disabled }: Pick<Hooks, 'hooks' | 'examined' | 'disabled'>,
  { name, can }: HostOptions,
): string[] {
  const states = examined.map(({ judgement }) => judgement.state);
  const count = (state: (typeof states)[number]) => states.filter((one) => one === state).length;
  const unfired = hooks.filter((hook) => firedElsewhere(can, hook)?.to.length === 0);
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
    ...line(
      hooks.filter(({ exception }) => exception !== undefined).length,
      'of your organisation that are not enforced for you',
      'anyhook list',
    ),
    ...line(
      hooks.filter((hook) => hook.shadow && hook.exception === undefined && isOrganisations(hook)).length,
      'of your organisation that are on trial and not enforced',
      'anyhook list',
    ),
    ...line(disabled.length, 'that are switched off', 'anyhook hooks'),
    ...line(
      unfired.length,
      `that are never asked in ${name}, which has no such event`,
      `anyhook list --host ${name}`,
    ),
  ];
}
const line = (count: number, what: string, look: string): string[] =>
  count === 0 ? [] : [`anyhook: hooks ${what}: ${count}; see: ${look}`];

export const PAUSED = 'anyhook: all hooks are paused; to switch them on: anyhook resume';

/** What passes although a hook that waits for trust would have been asked about it. */
export function unaskedLine(
  { verdict, runs }: Pick<Ruling, 'verdict' | 'runs'>,
  event: EventName,
  hooks: readonly Hook[],
): string | undefined {
  if (!decides(event) || (verdict !== 'none' && verdict !== 'allow')) return undefined;
  const waiting = runs.find(({ skipped }) => skipped === 'not trusted');
  if (waiting === undefined) return undefined;
  const hook = hooks.find(({ id }) => id === waiting.hook);
  const name = hook === undefined ? waiting.hook : `${label(hook)} (${hook.origin.file}:${hook.origin.line})`;
  return `anyhook: this passed unasked: ${name} waits for trust; see: anyhook trust list`;
}

/** Settings that could not be read are missed by nobody until it is too late: the person hears of them when a session begins. */
export function withProblems<E extends EventName>(
  outcome: Outcome<E>,
  name: E,
  problems: readonly Problem[],
): Outcome<E> {
  const texts = name === 'session.start' ? problems.filter(isBroken).map(show) : [];
  if (texts.length === 0) return outcome;
  return outcomeOf(saying(outcome, texts), name) as Outcome<E>;
}
export const saying = (outcome: Ruling, texts: readonly string[]): Ruling =>
  texts.length === 0
    ? outcome
    : {
        ...outcome,
        said: [...texts.map((text) => ({ by: 'host', to: 'person' as const, text })), ...outcome.said],
      };
export const isBroken = ({ severity }: Problem): boolean => severity === 'error';
