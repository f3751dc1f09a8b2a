/** Reads one entry under `hooks` and creates its hook. */

import { resolve } from 'node:path';
import {
  anyText,
  filledText,
  flag,
  listOf,
  mapOf,
  object,
  oneOf,
  type TypeOfShape,
  type Spot,
  text,
  textOrList,
  whole,
} from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import { type EventName, rowOf } from '../../../events/events.ts';
import {
  type Hook,
  isBlankScript,
  type OnFailure,
  type OnOpaque,
  type Role,
  type Way,
  type Layer,
} from '../../../events/hook.ts';
import { judgePrompt as asked } from '../../../events/question.ts';
import { decides, rolesOn } from '../../../events/roles.ts';
import { OWN_MATCH_ANY, type OwnMatcher, readMatcher } from './match.ts';
import { isRuleEntry, readRuleEntry, RULE_KEYS } from './read-rule.ts';
import { refuse } from './refuse.ts';

/** Environment variables that load code or change the programs that a hook starts. */
const LEVERS =
  /^(?:LD_|DYLD_|GIT_|PYTHON|PERL5|RUBY|NODE_|BASH_ENV$|BASH_FUNC_|ENV$|IFS$|PATH$|SHELLOPTS$|BASHOPTS$|PS4$|PROMPT_COMMAND$)/i;

/** A hook cannot set variables of ours, and a project cannot set variables that load code. */
function checkEnv(spot: Spot, env: Readonly<Record<string, string>>, layer: Layer): void {
  for (const [name, value] of Object.entries(env)) {
    const place = spot.part(name);
    if (name === '' || /[=\0]/.test(name) || value.includes('\0'))
      place.report('bad-value', `${JSON.stringify(name)} cannot be set in an environment`, { at: 'key' });
    else if (/^ANYHOOK_/i.test(name))
      place.report('bad-value', 'names that begin with ANYHOOK_ are set by anyhook itself', { at: 'key' });
    else if (layer === 'project' && LEVERS.test(name))
      place.report('bad-value', `a project may not set ${name}: it can load code`, {
        at: 'key',
        remedy: 'Set it inside the script, or in your own settings file.',
      });
  }
}

const ownJudgePrompt = (words: string): string => asked(words, 'when it must not happen.');

export const OWN_TIMEOUT_MS = 60_000;
const LONGEST_TIMEOUT_MS = 600_000;

const ENTRY = object({
  name: text,
  match: anyText,
  run: textOrList(text, filledText(listOf(anyText))),
  prompt: text,
  roles: filledText(listOf(oneOf<Role>(['guard', 'mutator', 'observer']))),
  timeoutMs: whole(1, LONGEST_TIMEOUT_MS),
  onFailure: oneOf<OnFailure>(['allow', 'ask', 'block']),
  opaque: oneOf<OnOpaque>(['allow', 'ask', 'block', 'run']),
  background: flag,
  shadow: flag,
  sticky: flag,
  env: mapOf(anyText),
  cwd: text,
  shell: text,
  status: text,
  warm: oneOf<'prespawn'>(['prespawn']),
  exit: oneOf<'any'>(['any']),
  ...RULE_KEYS,
});
type Entry = TypeOfShape<typeof ENTRY>;

/** The parsed entry, before all of its errors are known. */
export interface EntryRead extends Pick<Hook, 'roles' | 'background' | 'timeoutMs'>, OwnMatcher {
  readonly entry: Entry;
  readonly run: Way | undefined;
}

export function readOwnEntry(spot: Spot, event: EventName, place: Place): EntryRead {
  const entry = ENTRY(spot) ?? {};
  const background = entry.background ?? false;
  const matcher =
    entry.match === undefined ? OWN_MATCH_ANY : matcherOf(spot.part('match'), entry.match, event);
  const isRule = typeof spot.value === 'object' && spot.value !== null && isRuleEntry(spot.value);
  return {
    entry,
    run: isRule
      ? ruleOf(spot, entry, event, matcher ?? OWN_MATCH_ANY)
      : wayOf(spot, entry, place, matcher?.reason === undefined ? undefined : refusal(matcher.reason, event)),
    roles: rolesOf(spot, entry, event, background),
    background,
    timeoutMs: entry.timeoutMs ?? OWN_TIMEOUT_MS,
    ...(matcher ?? OWN_MATCH_ANY),
  };
}

function matcherOf(spot: Spot, source: string, event: EventName): OwnMatcher | undefined {
  const { matcher, fault } = readMatcher(source, event);
  if (fault) spot.report(fault.code, `${JSON.stringify(source)}: ${fault.message}`, fault);
  return matcher;
}

function rolesOf(spot: Spot, { roles }: Entry, event: EventName, background: boolean): readonly Role[] {
  if (background && roles?.some((role) => role !== 'observer'))
    spot
      .part('background')
      .report('bad-value', `is true, but a background hook cannot return an answer as ${roles.join(', ')}`, {
        remedy: 'Remove "background", or make it an observer.',
      });
  const { effects, mutable } = rowOf(event);
  if (roles?.includes('guard') && !rolesOn(event).includes('guard'))
    spot.part('roles').report('bad-value', `${event} cannot be refused, so a guard has no effect here`, {
      severity: 'warning',
    });
  if (roles?.includes('mutator') && (mutable.length === 0 || !effects.includes('set')))
    spot
      .part('roles')
      .report('bad-value', `${event} has no fields that can be changed`, { severity: 'warning' });
  return roles ?? (background ? ['observer'] : rolesOn(event));
}

/** A rule starts no process and always decides. */
function ruleOf(spot: Spot, entry: Entry, event: EventName, matcher: OwnMatcher): Way | undefined {
  for (const key of ['run', 'prompt', ...PROCESS_KEYS, 'background'] as const)
    if (entry[key] !== undefined) unused(spot.part(key), 'a rule runs nothing');
  if (entry.roles !== undefined && !entry.roles.includes('guard'))
    spot
      .part('roles')
      .report('bad-value', 'leaves out guard, but a rule refuses', { remedy: 'Remove "roles".' });
  return readRuleEntry(spot, entry, event, matcher);
}

/** Keys that only matter for a hook with a process. */
const PROCESS_KEYS = ['env', 'cwd', 'shell', 'warm', 'exit'] as const;

function wayOf(spot: Spot, entry: Entry, place: Place, builtIn: Way | undefined): Way | undefined {
  const { run, prompt } = entry;
  for (const key of ['verdict', 'reason'] as const)
    if (entry[key] !== undefined) unused(spot.part(key), 'only rules have it');
  const own = spot.value as object; // only used for own keys, and a non-object has none
  if (typeof own !== 'object' || own === null) return undefined;
  const [hasRun, hasPrompt] = [Object.hasOwn(own, 'run'), Object.hasOwn(own, 'prompt')];
  if (!hasRun && !hasPrompt && builtIn !== undefined) return builtIn;
  if (hasRun === hasPrompt)
    spot.report('bad-value', hasRun ? 'has both "run" and "prompt"' : 'has nothing to run', {
      remedy: 'Give it either "run" or "prompt".',
    });
  if (prompt !== undefined) {
    for (const key of PROCESS_KEYS)
      if (entry[key] !== undefined) unused(spot.part(key), 'a prompt starts no process');
    return { kind: 'prompt', text: ownJudgePrompt(prompt) };
  }
  return run === undefined ? undefined : commandOf(spot, run, entry, place);
}

function commandOf(
  spot: Spot,
  run: NonNullable<Entry['run']>,
  { env, cwd, shell, warm, background }: Entry,
  place: Place,
): Way | undefined {
  if (env !== undefined) checkEnv(spot.part('env'), env, place.layer);
  if (cwd?.startsWith('~')) spot.part('cwd').report('bad-value', `is "${cwd}": "~" is not expanded here`);
  if (typeof run !== 'string') {
    if (shell !== undefined) unused(spot.part('shell'), 'a command given as a list runs without a shell');
    if (run.some((word) => word.includes('\0')))
      return void spot.part('run').report('bad-value', 'contains a NUL character');
    if (run[0].trim() === '') return void spot.part('run').report('bad-value', 'names no program');
  } else if (isBlankScript(run)) return void spot.part('run').report('bad-value', 'is only a comment');
  if (warm !== undefined && background)
    unused(spot.part('warm'), 'the agent does not wait for a background hook');
  const first = typeof run === 'string' ? run : run[0];
  if (place.folder === undefined && /^\s*\.{1,2}\//.test(first))
    spot
      .part('run')
      .report('bad-value', `is resolved against the folder the agent works in: ${first.trim()}`, {
        remedy: 'Write the full path.',
        severity: 'warning',
      });
  return {
    kind: 'command',
    run: typeof run === 'string' ? { line: run, ...(shell !== undefined && { shell }) } : { argv: run },
    env: 'inherit',
    ...(place.folder !== undefined && { cwd: resolve(place.folder, cwd ?? '.') }),
    ...(env !== undefined && { set: env }),
    ...(warm !== undefined && { warm }),
  };
}

/** Creates the refusal of a `danger:…` matcher that has no hook of its own. */
const refusal = (reason: NonNullable<OwnMatcher['reason']>, event: EventName): Way => ({
  kind: 'call',
  direct: true,
  isPreset: true,
  fn: (shown: Event) => refuse(event, reason(shown)),
});

const unused = (spot: Spot, why: string): void =>
  spot.report('bad-value', `has no effect here: ${why}`, { at: 'key', remedy: 'Take it away.' });

/** Whether this entry, valid or not, was meant to refuse something. */
export const meantToDecide = (event: EventName, { roles }: Pick<EntryRead, 'roles'>): boolean =>
  decides(event) && roles.some((role) => role !== 'observer');
