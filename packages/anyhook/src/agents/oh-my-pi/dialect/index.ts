import { extname, join } from 'node:path';
import type { Capabilities } from '../../../events/capabilities.ts';
import type {
  Dialect,
  Sharing,
  Locations,
  ModuleFinder,
  ForeignModuleFiles,
} from '../../../events/dialect.ts';
import type { Effect, Fields, Gift } from '../../../events/effects.ts';
import type { Event } from '../../../events/event.ts';
import type { EventName } from '../../../events/events.ts';
import type { Reply, ReturnReply } from '../../../events/exchange.ts';
import { isFields } from '../../../events/fields.ts';
import type { OnFailure, Hook } from '../../../events/hook.ts';
import { type Answer, type Outcome, wasChanged } from '../../../events/outcome.ts';
import {
  type KnownPack,
  keywordsOf,
  needsPackage,
  type PackLook,
  type PackTerms,
} from '../../../events/pack.ts';
import { readBroken } from '../../../events/printout.ts';
import type { Problem } from '../../../events/problems.ts';
import { readHandlerAnswer } from './answer.ts';
import { discover, type DiscoveredHook, type FolderReader, type SkippedFile } from './discover.ts';
import { extensionsIn } from './extensions.ts';
import { words } from './names.ts';
import { payload } from './payload.ts';
import { config } from './pi-settings.ts';
import { isScript, hookFromScript, readExit } from './script.ts';
import { otherTools, tools } from './tools.ts';

/** A handler answers with its return value. A throw is a failure: `tool_call` refuses, other events continue. */
const output = { read, write };

function read(reply: Reply, event: Event, hook: Hook): Answer {
  if (reply.kind === 'returned') return readReturned(reply, event, hook);
  if (reply.kind === 'exited') return readExit(reply, event, hook);
  if (reply.kind === 'threw') return { effects: [], failed: { kind: 'failed', detail: reply.message } };
  if (reply.kind === 'broken') return readBroken(reply, (ended) => readExit(ended, event, hook));
  return { effects: [], failed: { kind: 'unreadable', detail: `a ${reply.kind} reply` } };
}

/** Only an extension can change whether a call succeeded: `isError` of a hook module is not applied. */
function readReturned(reply: ReturnReply, event: Event, hook: Hook): Answer {
  const answer = readHandlerAnswer(answerOf(reply, hook), event, hook.on);
  if (hook.on !== 'tool_result' || hook.extra?.['extension'] === true) return answer;
  const changesStatus = (effect: Effect) => effect.kind === 'set' && effect.at[0] === 'isError';
  if (!answer.effects.some(changesStatus)) return answer;
  return {
    ...answer,
    effects: answer.effects.filter((effect) => !changesStatus(effect)),
    notes: { ...answer.notes, notApplied: ['isError'] },
  };
}

/** Changes of an extension to the `input` of its event reach the tool; those of a hook module do not. */
function answerOf({ value, args: [event] }: ReturnReply, { on, extra }: Hook): unknown {
  if (on !== 'tool_call' || extra?.['extension'] !== true) return value;
  const { input } = (event ?? {}) as Fields;
  return typeof value === 'object' && value !== null ? { input, ...value } : { input };
}

/** Writes an outcome for oh-my-pi: the result that its own handlers would return; undefined if empty. */
function write(outcome: Outcome, event: Event): ReturnReply {
  const fields = WRITE[event.name]?.(outcome) ?? {};
  return { kind: 'returned', value: Object.keys(fields).length === 0 ? undefined : fields, args: [] };
}

const toldIn = ({ forModel }: Outcome): Fields =>
  forModel.length === 0 ? {} : { additionalContext: forModel.join('\n\n') };
const changedIn = (outcome: Outcome, ...fields: readonly string[]): Fields =>
  Object.fromEntries(
    fields.filter((field) => wasChanged(outcome, field)).map((field) => [field, outcome.payload[field]]),
  );
const givenIn = ({ gift }: Outcome, what: Gift, as: string): Fields => {
  const value = gift(what);
  return value === undefined ? {} : { [as]: value };
};
const cancelled = ({ proceed }: Outcome, otherwise: Fields = {}): Fields =>
  proceed === 'yes' ? otherwise : { cancel: true };

const WRITE: { readonly [E in EventName]?: (outcome: Outcome) => Fields } = {
  'prompt.submit': (outcome) =>
    outcome.proceed !== 'yes'
      ? { action: 'handled' }
      : wasChanged(outcome, 'prompt')
        ? { action: 'transform', text: outcome.payload['prompt'] }
        : {},
  'tool.before': (outcome) =>
    outcome.proceed !== 'yes'
      ? { block: true, reason: outcome.reason }
      : { ...changedIn(outcome, 'input'), ...toldIn(outcome) },
  'tool.after': (outcome) => ({ ...changedIn(outcome, 'content', 'details', 'isError'), ...toldIn(outcome) }),
  'tool.failed': toldIn,
  'model.context': (outcome) => changedIn(outcome, 'messages'),
  'agent.before': (outcome) => givenIn(outcome, 'message', 'message'),
  'session.switching': (outcome) => cancelled(outcome),
  'session.branching': (outcome) =>
    cancelled(outcome, givenIn(outcome, 'skip-restore', 'skipConversationRestore')),
  'session.navigating': (outcome) => cancelled(outcome, givenIn(outcome, 'summary', 'summary')),
  'compaction.before': (outcome) => cancelled(outcome, givenIn(outcome, 'compaction', 'compaction')),
  'compaction.prompt': (outcome) => ({
    ...changedIn(outcome, 'context', 'prompt'),
    ...givenIn(outcome, 'preserve', 'preserveData'),
  }),
};

/** Extensions of oh-my-pi's module files. */
const MODULES: ReadonlySet<string> = new Set(['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs']);

export const moduleFinder: ModuleFinder = {
  find(locations, named): ForeignModuleFiles {
    const extensions = extensionsIn(locations, named);
    const { hooks, shadowed, warnings } = discover(locations.home, locations.cwd, lookOf(locations));
    const isModule = ({ name }: DiscoveredHook) => MODULES.has(extname(name));
    return {
      modules: [
        ...hooks
          .filter(isModule)
          .map(({ path, level }) => ({ file: path, layer: level, asker: { file: path, line: 1 } })),
        ...extensions.modules,
      ],
      scripts: hooks.filter(isScript).map(hookFromScript),
      problems: [
        ...extensions.problems,
        ...warnings.map(passed),
        ...shadowed.map(({ path }) =>
          passed({ path, error: 'is not loaded: an earlier hook has the same name' }),
        ),
        ...hooks
          .filter((found) => !isModule(found) && !isScript(found))
          .map(({ path }) =>
            passed({
              path,
              error: 'is not loaded: not a JavaScript or TypeScript module or a shell script',
            }),
          ),
      ],
    };
  },
  clash: { commands: 'first', renderers: 'first' },
  takesNamed: true,
};

const NOTHING = (): readonly string[] => [];

/** A path with entries below it is a folder, because a list of names contains no types. */
function lookOf({ list = NOTHING, obstacle = () => undefined }: Locations): FolderReader {
  const names = (folder: string) =>
    list(folder)
      .filter((name) => !name.startsWith('.'))
      .toSorted();
  const isFolder = (folder: string) => (name: string) => list(join(folder, name)).length > 0;
  return {
    files: (folder) => names(folder).filter((name) => !isFolder(folder)(name)),
    folders: (folder) => names(folder).filter(isFolder(folder)),
    obstacle,
  };
}

const passed = ({ path, error }: SkippedFile): Problem => ({
  code: 'not-loaded',
  file: path,
  message: `${error}.`,
  severity: 'warning',
});

/** How handlers of one event share it: the document's section on ordering, as rows. */
const row = (sees: Sharing['sees'], stopsOn: Sharing['stopsOn'], keep: Sharing['keep']): Sharing =>
  Object.freeze({ order: 'in-turn', sees, stopsOn: Object.freeze(stopsOn), keep });

/** Handlers of these events are only notified: each sees the original. */
const TOLD = row('original', [], 'all');
const LATEST = row('original', ['cancel'], 'last');
const ROWS: ReadonlyMap<string, Sharing> = new Map([
  ['tool_call', row('original', ['deny'], 'last')],
  // Merged by field: each handler sees earlier changes, so a redaction survives.
  ['tool_result', row('so-far', [], 'all')],
  // pi passes each handler the text from the previous one, and stops at the first that handled it.
  ['input', row('so-far', ['deny'], 'all')],
  ['context', row('so-far', [], 'all')],
  ['before_agent_start', row('original', [], 'first')],
  ['session_before_switch', LATEST],
  ['session_before_branch', LATEST],
  ['session_before_compact', LATEST],
  ['session_before_tree', LATEST],
  ['session.compacting', row('original', [], 'last')],
]);
const sharing = (word: string): Sharing => ROWS.get(word) ?? TOLD;

/** A failed guard refuses; on other events failures are reported and skipped. */
const failure = (word: string): OnFailure => (word === 'tool_call' ? 'block' : 'allow');

/** Recognises a package of pi or oh-my-pi: it declares it, or depends on that agent's package. */
const AGENT = /^@(?:mariozechner|earendil-works|oh-my-pi)\/pi-coding-agent$/;

function known({ manifest, extensions }: PackLook): KnownPack | undefined {
  const isSaid = isFields(manifest['pi']) || isFields(manifest['omp']);
  if (!isSaid && !keywordsOf(manifest).includes('pi-package') && !needsPackage(manifest, AGENT))
    return undefined;
  const modules = extensions();
  if (modules.length === 0) return undefined;
  return { entries: [{ path: '.', dialect: 'oh-my-pi' }], modules };
}

const packs: PackTerms = {
  known,
  claims: (text) =>
    /\/pi-coding-agent['"]|\.on\(\s*['"](?:tool_call|tool_result|session_start)['"]/.test(text),
};

/** Capabilities of oh-my-pi. It cannot ask the user for a hook: a hook opens a dialog itself. */
const can: Capabilities = {
  'session.switching': { cancel: 'full' },
  'session.branching': { cancel: 'full', give: 'full' },
  'session.navigating': { cancel: 'full', give: 'full' },
  'prompt.submit': { deny: 'full', ask: { as: 'deny' }, set: 'full' },
  'agent.before': { give: 'full' },
  'model.context': { set: 'full' },
  'tool.before': {
    ask: { as: 'deny' },
    defer: { as: 'deny' },
    deny: 'full',
    set: 'full',
    context: 'full',
  },
  'tool.after': { set: 'full', context: 'full' },
  'tool.failed': { context: 'full' },
  'compaction.before': { cancel: 'full', give: 'full' },
  'compaction.prompt': { set: 'full', give: 'full' },
};

export const ohMyPi: Dialect<'oh-my-pi'> = {
  name: 'oh-my-pi',
  words,
  hooksAreCode: true,
  tools,
  otherTools,
  sharing,
  failure,
  can,
  config,
  moduleFinder,
  payload,
  packs,
  output,
};
