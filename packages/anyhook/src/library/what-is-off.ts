/** Reports hooks that are off: at session start, and with the first call that such a hook did not see. */

import { agentOf } from '../agents/index.ts';
import type { EventName } from '../events/events.ts';
import { type Hook, isBuiltIn, isOrganisations, label } from '../events/hook.ts';
import { type Outcome, outcomeOf, type Ruling } from '../events/outcome.ts';
import { type Problem, show } from '../events/problems.ts';
import { decides } from '../events/roles.ts';
import type { Services } from '../events/services.ts';
import type { HostOptions } from '../gather/options.ts';
import { type FiredElsewhere, firedElsewhere } from './fired-elsewhere.ts';
import type { Hooks } from './hooks.ts';
import { isBlank, matcherDoubts } from './idle-hooks.ts';
import { type KnownTools, toolNames } from './tool-names.ts';

const isNeverFired = (moved: FiredElsewhere | undefined): boolean =>
  moved !== undefined && moved.to.length === 0 && moved.instead === undefined;

/** One line per cause, with the command that shows more. */
export function offLines(
  { hooks, examined, disabled }: Pick<Hooks, 'hooks' | 'examined' | 'disabled'>,
  { name, can }: HostOptions,
  services: Pick<Services, 'judge'> = {},
): string[] {
  const look = agentOf(name) === undefined ? 'anyhook list' : `anyhook list --host ${name}`;
  const states = examined.map(({ judgement }) => judgement.state);
  const count = (state: (typeof states)[number]) => states.filter((other) => other === state).length;
  const unfired = new Map<string, boolean>(); // cached by matcher: thousands of hooks share a few
  const isUnfired = (hook: Hook): boolean => {
    const word = `${hook.dialect} ${hook.on}`;
    const known = unfired.get(word) ?? isNeverFired(firedElsewhere(can, hook));
    unfired.set(word, known);
    return known;
  };
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
      services.judge === undefined ? hooks.filter(({ run }) => run.kind === 'prompt').length : 0,
      `that ask a model, which ${name} does not offer, and decide nothing`,
      look,
    ),
    ...line(hooks.filter(isUnfired).length, `that never run in ${name}, which has no such event`, look),
  ];
}

/**
 * A program that never fires `session.start` has no moment to notify its user. Hooks of events that it never fires become
 * problems, so that the program or its adapter can report them.
 */
export function neverCalled({ hooks }: Pick<Hooks, 'hooks'>, { name, can }: HostOptions): Problem[] {
  if (can['session.start'] !== undefined) return [];
  const byWord = new Map<string, Hook[]>();
  for (const hook of hooks.filter((one) => !isBuiltIn(one))) {
    const word = `${hook.dialect} ${hook.on}`;
    const those = byWord.get(word);
    if (those === undefined) byWord.set(word, [hook]);
    else those.push(hook);
  }
  const unfired = [...byWord.values()].filter(([hook]) => isNeverFired(firedElsewhere(can, hook!)));
  return unfired.map((those) => ({
    code: 'never-called',
    file: those[0]!.origin.file,
    line: those[0]!.origin.line,
    message: `${those.length === 1 ? 'a hook' : `${those.length} hooks`} for ${those[0]!.on} will never be called: ${name} does not fire this event.`,
    remedy: 'Fire the event with hooks.fire and list it in host.can, or remove the hook.',
    severity: 'warning',
  }));
}

/** Hooks that listen but never do anything. The search takes longer than opening the rest, so it runs on demand. */
export function idleLines(
  { hooks, offers }: Pick<Hooks, 'hooks' | 'offers'>,
  { tools = {} }: HostOptions,
): string[] {
  const offered = [...Object.keys(tools), ...offers.tools.map(({ name }) => name)];
  return [
    ...line(countMistypedHooks(hooks, offered), 'whose matcher matches nothing as written', 'anyhook doctor'),
    ...line(hooks.filter(isBlank).length, 'whose command is empty or only a comment', 'anyhook doctor'),
  ];
}

/** Counts hooks that a typo keeps from running. Tool names are gathered only if a hook has a matcher. */
function countMistypedHooks(hooks: readonly Hook[], offered: readonly string[]): number {
  let known: KnownTools | undefined;
  return hooks.filter(
    (hook) =>
      hook.matcher !== undefined &&
      !isBuiltIn(hook) &&
      matcherDoubts(hook, (known ??= toolNames(offered))).some(({ isTypo }) => isTypo),
  ).length;
}

const line = (count: number, what: string, look: string): string[] =>
  count === 0 ? [] : [`anyhook: hooks ${what}: ${count}; see: ${look}`];

export const PAUSED = 'anyhook: all hooks are paused; to resume: anyhook resume';

/** Explains why a call passes that a hook might have judged: it is untrusted, hooks are paused, or its file is broken. */
export function unaskedLine(
  { verdict, runs, paused }: Pick<Ruling, 'verdict' | 'runs' | 'paused'>,
  event: EventName,
  { hooks, problems }: { readonly hooks: readonly Hook[]; readonly problems: readonly Problem[] },
): string | undefined {
  if (!decides(event) || (verdict !== 'none' && verdict !== 'allow')) return undefined;
  if (paused)
    return 'anyhook: this passed without its hooks: all hooks are paused; to resume: anyhook resume';
  const waiting = runs.find(({ skipped }) => skipped === 'not trusted');
  if (waiting === undefined) {
    const broken = problems.find(isBroken);
    return broken && `anyhook: this passed, and ${broken.file} is broken; see: anyhook list`;
  }
  const hook = hooks.find(({ id }) => id === waiting.hook);
  const name = hook === undefined ? waiting.hook : `${label(hook)} (${hook.origin.file}:${hook.origin.line})`;
  return `anyhook: this passed without its hooks: ${name} waits for trust; see: anyhook trust list`;
}

/** Adds settings that could not be read to the session start. Otherwise users notice too late. */
export function withProblems<E extends EventName>(
  outcome: Outcome<E>,
  name: E,
  problems: readonly Problem[],
): Outcome<E> {
  const broken = name === 'session.start' ? problems.filter(isBroken) : [];
  if (broken.length === 0) return outcome;
  const texts = broken.map((problem) => `anyhook: ${show(problem)}; see: anyhook list`);
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
