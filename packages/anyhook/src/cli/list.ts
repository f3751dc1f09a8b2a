import { addedLines } from '../add/added-lines.ts';
import { eventNamed } from '../console/event-named.ts';
import { journalFolder } from '../console/journal-folder.ts';
import { acceptCommand, missingGuards } from '../console/missing-guards.ts';
import { policyLine } from '../console/policy-line.ts';
import { paint, print, printJson, screenFor } from '../console/print.ts';
import { checkFolder } from '../console/usage.ts';
import { findDialect } from '../dialects.ts';
import { type Stray, straysIn } from '../doctor/look/strays.ts';
import type { Capabilities } from '../events/capabilities.ts';
import type { EventName } from '../events/events.ts';
import { EXIT_HINT } from '../events/exit-hint.ts';
import { type Hook, inOwnPaths, isBuiltIn, type Origin } from '../events/hook.ts';
import { momentsOf } from '../events/native-names.ts';
import type { Offers } from '../events/offers.ts';
import { Card, type ConsideredHook, type HookCard, readFolder } from '../journal/index.ts';
import { failureOf } from '../library/failure-of.ts';
import { firedElsewhere } from '../library/fired-elsewhere.ts';
import type { Hooks } from '../library/hooks.ts';
import { projectLocations } from '../library/project-root.ts';
import { backgroundWords } from '../render/background.ts';
import { hookList, type ListedHook } from '../render/hook-list.ts';
import { localTime } from '../render/local-time.ts';
import { problemList } from '../render/problem-list.ts';
import { brief } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';
import { whatRuns } from '../render/what-runs.ts';
import { wrap } from '../render/wrap.ts';
import { loadsFromProject } from '../settings/own-command.ts';
import type { Define } from './commands.ts';
import { pauseNow } from './pause.ts';
import { canOfHost, survey } from './survey.ts';

/** Lists what modules offer besides hooks. */
interface OfferRow {
  readonly kind: 'tool' | 'command' | 'renderer' | 'login';
  readonly name: string;
  readonly about?: string;
  readonly file: string;
}

/** In the order of the modules. */
export function offered({ tools, commands, renderers, auth }: Offers): OfferRow[] {
  const row = (kind: OfferRow['kind'], name: string, origin: Origin, about = ''): OfferRow => ({
    kind,
    name,
    file: origin.file,
    ...(about !== '' && { about }),
  });
  return [
    ...tools.map(({ name, origin, description }) => row('tool', name, origin, description)),
    ...commands.map(({ name, origin, description }) => row('command', `/${name}`, origin, description)),
    ...renderers.map(({ type, origin }) => row('renderer', type, origin)),
    ...auth.map(({ provider, origin, methods }) =>
      row('login', provider, origin, methods.map(({ label }) => label).join(', ')),
    ),
  ];
}

export const offeredLines = (offers: Offers, screen: Screen): string[] =>
  offered(offers).flatMap(({ kind, name, about, file }) => [
    `  ${brief(`${kind} ${name}${about === undefined ? '' : `: ${about}`}`, screen.width - 2)}`,
    `      ${screen.paint('dim', shortPath(file, screen))}`,
  ]);

interface ListOptions {
  readonly cwd?: string;
  readonly host?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .argument('[event]', 'Only hooks of this event, by any agent’s name for it')
    .option('--cwd <folder>', 'Project folder')
    .option('--host <agent>', 'List hooks as this agent runs them')
    .option('--json', 'Print JSON')
    .action(async (word: string | undefined, options: ListOptions) => done(await runList(word, options)));
};

/** Exit 1 if the settings have an error. */
export async function runList(word: string | undefined, options: ListOptions): Promise<number> {
  const event = word === undefined ? undefined : eventNamed('list', word);
  checkFolder('list', options.cwd);
  const can = canOfHost(options.host);
  const hooks = await survey(options.cwd, options.host === undefined ? {} : { agent: options.host });
  await hooks.close();
  const listed = listedHooks(hooks, { event, can }, options);
  const strays = straysIn(locationsOf(options), hooks.hooks);
  if (options.json === true) printAsJson(hooks, listed, strays, options);
  else {
    const screen = screenFor(options.cwd);
    print([
      ...conditionLines(hooks, screen),
      ...(listed.length > 0 ? hookList(listed, screen) : [noHooksLine(event)]),
      ...furtherLines(hooks, strays, screen, options.cwd),
    ]);
  }
  return hooks.problems.some(({ severity }) => severity === 'error') ? 1 : 0;
}

const locationsOf = ({ cwd }: ListOptions) => projectLocations(cwd === undefined ? {} : { cwd });

interface ListFilter {
  readonly event: EventName | undefined;
  /** Capabilities of the agent that would run the hooks. */
  readonly can: Capabilities;
}

/** The hooks of one event, or all. */
function listedHooks({ hooks }: Hooks, { event, can }: ListFilter, options: ListOptions): ListedHook[] {
  const runs = lastRuns(journalFolder(options.cwd), hooks);
  const locations = locationsOf(options);
  return hooks.flatMap((hook) => {
    const lastRun = runs.get(hook.id);
    const events = momentsOf(hook.on, dialectOf(hook));
    const loads = loadsFromProject(hook, locations);
    if (event !== undefined && !events.includes(event)) return [];
    return {
      hook,
      events,
      trust: trustOf(hook),
      onFailure: failureOf(hook),
      ...placeIn(can, hook),
      ...(options.host !== undefined && hook.run.kind === 'prompt' && { cannotRun: NO_JUDGE }),
      ...(loads !== undefined && { loads }),
      ...(lastRun !== undefined && { lastRun }),
    };
  });
}

function printAsJson(
  hooks: Hooks,
  listed: readonly ListedHook[],
  strays: readonly Stray[],
  { cwd }: ListOptions,
): void {
  const pause = pauseNow();
  printJson({
    hooks: listed.map(({ hook, ...rest }) => ({ ...plainHook(hook), ...rest })),
    offers: offered(hooks.offers),
    problems: hooks.problems,
    ...(hooks.policy !== undefined && { policy: hooks.policy }),
    notLoaded: strays.map((stray) => ({ code: 'not-read', ...stray })),
    missingGuards: missingGuards(cwd, hooks.examined).map((guard) => ({ code: 'guard-missing', ...guard })),
    ...(pause !== undefined && { pausedUntil: new Date(pause.untilMs).toISOString() }),
    ...(hooks.disabled.length > 0 && { disabled: hooks.disabled.map(plainHook) }),
  });
}

/** The policy and the pause that apply to all hooks. */
function conditionLines({ policy }: Hooks, screen: Screen): string[] {
  const pause = pauseNow();
  const policyLines =
    policy === undefined
      ? []
      : [...wrap(policyLine(policy, shortPath(policy.file, screen)), screen.width, '  '), ''];
  if (pause === undefined) return policyLines;
  const except = policy === undefined ? '' : ' except those of your organisation';
  return [
    ...policyLines,
    paint(
      'yellow',
      `All hooks${except} are paused until ${localTime(pause.untilMs)}. To end it: anyhook resume`,
    ),
    '',
  ];
}

const noHooksLine = (event: string | undefined): string =>
  event === undefined
    ? 'No hooks found. To write one with a test: anyhook init'
    : `No hook listens to ${event}. To write one with a test: anyhook init`;

/** Everything besides the hooks themselves, in sections with a title. */
function furtherLines(
  hooks: Hooks,
  strays: readonly Stray[],
  screen: Screen,
  cwd: string | undefined,
): string[] {
  const { disabled, offers, problems, examined } = hooks;
  return [
    ...section(
      'Switched off',
      disabled.map((hook) => offLine(hook, screen)),
    ),
    ...section('Added', addedLines(cwd, screen)),
    ...section('Modules also offer', offeredLines(offers, screen)),
    ...section(
      'Not loaded',
      strays.flatMap(({ file, why }) => [
        `  ${shortPath(file, screen)}`,
        ...wrap(`      ${why}`, screen.width, '      '),
      ]),
    ),
    ...section(
      'Trusted guards that are changed or missing',
      missingGuards(cwd, examined).flatMap((guard) => [
        `  ${brief(`${shortPath(guard.file, screen)}  ${guard.on}  ${guard.label}`, screen.width - 2)}`,
        `      Calls it covered need your confirmation. To accept: ${acceptCommand(guard)}`,
      ]),
    ),
    ...section(counted(problems.length, 'problem'), problemList(problems, screen)),
  ];
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', paint('bold', title), ...lines];

/** Bridges have no model for prompt hooks. */
const NO_JUDGE = 'cannot run there: it needs a model, and bridges have none';

function placeIn(can: Capabilities, hook: Hook): Pick<ListedHook, 'at'> {
  const moved = firedElsewhere(can, hook);
  return moved === undefined
    ? {}
    : { at: moved.instead ?? (moved.to.join(', ') || 'no event of that agent') };
}

const offLine = (hook: Hook, screen: Screen): string =>
  `  ${brief(`${shortPath(hook.origin.file, screen)}:${hook.origin.line}  ${hook.on}  ${whatRuns(hook)}`, screen.width - 2)}`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const dialectOf = ({ dialect }: Hook) => findDialect(dialect)!; // hooks are read by known dialects

function trustOf({ origin, run }: Hook): ListedHook['trust'] {
  if (isBuiltIn({ origin })) return 'built in';
  if (run.kind === 'missing' && run.why.kind === 'not-trusted') return 'waits';
  return origin.layer === 'project' ? 'trusted' : 'yours';
}

/** A hook without its code, and with the paths of its file, not of the private copy it runs from. */
export function plainHook(hook: Hook): object {
  const { match, when: _, run, copy: __, ...rest } = hook;
  const way: unknown =
    run.kind === 'call' ? { kind: 'call' } : JSON.parse(inOwnPaths(JSON.stringify(run), hook));
  return {
    ...rest,
    match: match.kind === 'pattern' ? { kind: match.kind, source: match.source } : match,
    run: way,
  };
}

interface LastRun {
  readonly at: string;
  /** Its result in one word; `failed` if it broke. */
  readonly said: string;
  /** What the author of the hook probably wanted. */
  readonly hint?: string;
}

/** Maximum number of records searched, newest first. */
const LOOKED_AT = 5000;

/** For the current entry only: an earlier entry at the same position was another hook. */
function lastRuns(folder: string, hooks: readonly Hook[]): Map<string, LastRun> {
  const cards = new Map(hooks.map((hook) => [hook.id, new Card(hook)]));
  const runs = new Map<string, LastRun>();
  let looked = 0;
  for (const entry of readFolder(folder, { order: 'newest-first' })) {
    if (runs.size === cards.size || ++looked > LOOKED_AT) break;
    if (entry.kind !== 'record') continue;
    for (const run of entry.record.hooks) {
      const { hook, skipped, late } = run;
      const hasRun = skipped === undefined || late !== undefined;
      if (hasRun && !runs.has(hook.id) && isSame(hook, cards.get(hook.id)))
        runs.set(hook.id, { at: entry.record.at, said: resultOf(run), ...hintOf(run) });
    }
  }
  return runs;
}

const hintOf = ({ failed }: ConsideredHook): Pick<LastRun, 'hint'> =>
  failed?.detail?.includes(EXIT_HINT) === true ? { hint: EXIT_HINT } : {};

function resultOf(run: ConsideredHook): string {
  const { failed, late, effects = [] } = run;
  if (late !== undefined) return backgroundWords(run);
  return failed === undefined ? (effects[0]?.kind ?? 'nothing') : failed.kind;
}

/** A command with a secret was recorded without it, so location, event and matcher must match. */
const isSame = (then: HookCard, now: Card | undefined): boolean =>
  now !== undefined &&
  then.dialect === now.dialect &&
  then.on === now.on &&
  then.way === now.way &&
  then.matcher === now.matcher &&
  (then.what === now.what || typeof then.what !== 'string' || then.what.includes('[redacted:'));
