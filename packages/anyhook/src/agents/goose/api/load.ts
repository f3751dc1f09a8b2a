import { resolve } from 'node:path';
import { type Engine, makeEngine } from '../../../engine/engine.ts';
import { suggestion } from '../../../events/checker.ts';
import type { Locations } from '../../../events/dialect.ts';
import type { Event } from '../../../events/event.ts';
import { rowOf } from '../../../events/events.ts';
import type { Hook } from '../../../events/hook.ts';
import { type Lexicon, makeLexicon } from '../../../events/lexicon.ts';
import { outcomeOf, type Outcome } from '../../../events/outcome.ts';
import type { Problem } from '../../../events/problems.ts';
import { withSafeReaders } from '../../../events/safe-readers.ts';
import { locationsOf } from '../../../gather/folders.ts';
import { nearestProject } from '../../../gather/nearest-project.ts';
import { openMcpRunner } from '../../../runners/mcp/index.ts';
import { openDepthLimit } from '../../../runs/depth-limit.ts';
import { makeRun } from '../../../runs/runs.ts';
import { sharedCommands } from '../../../runs/shared-commands.ts';
import { Resumes } from '../../../sessions/resumes.ts';
import { loadSettings } from '../../../settings/load.ts';
import { nameServers } from '../../../settings/mcp-servers.ts';
import { claudeCode } from '../../claude-code/dialect/index.ts';
import { GATE } from '../dialect/admit.ts';
import { goose } from '../dialect/index.ts';
import { additionalContextOf, refusedFor } from '../dialect/write-reply.ts';
import type { GooseEvent, GooseHooks, GooseOptions, GooseResult } from './types.ts';

/** Converts an outcome to Goose's format. */
const NOT_BLOCKED: GooseResult = Object.freeze({ blocked: false, runs: Object.freeze([]) });

/** Context for the model is dropped if the call is blocked. */
function gooseResultOf(outcome: Outcome): GooseResult {
  const { runs, said } = outcome;
  const reason = refusedFor(outcome);
  if (reason !== undefined) return { blocked: true, reason, runs };
  const additionalContext = additionalContextOf(outcome);
  const overruled = said.find(({ by }) => by === 'host')?.text;
  return {
    blocked: false,
    ...(overruled !== undefined && { reason: overruled }),
    ...(additionalContext !== '' && { additionalContext }),
    runs,
  };
}

const READ = [withSafeReaders(goose)];

/** Loads Goose hooks for a program: reads the files and runs the hooks as documented, without trust and journal. */
export async function loadGooseHooks(options: GooseOptions = {}): Promise<GooseHooks> {
  const here = locationsOf(options);
  const locations = { ...here, cwd: nearestProject(READ, here) };
  const { hooks, problems } = read(locations, options);
  const lexicon = makeLexicon([goose.tools, claudeCode.tools], {}, goose.tools.mcp); // its matchers may use Claude Code's names
  const mcp = openMcpRunner({ callTool: withFullNames(options.callTool), cwd: locations.cwd });
  const run = makeRun({
    commands: sharedCommands,
    services: {},
    depthLimit: openDepthLimit(process.env),
    mcp: async () => mcp,
  });
  const resumes = new Resumes();
  const engines = new Map<string, Engine>();
  /** One engine per native event: if one event of ours is several of theirs, only the emitted one fires. */
  const engineFor = (word: string): Engine => {
    let engine = engines.get(word);
    if (engine === undefined) {
      const own = hooks.filter(({ on }) => on === word);
      const { spellings, mcpTools } = lexicon;
      engine = makeEngine({ dialects: [goose], hooks: own, run, services: {}, spellings, mcpTools });
      engines.set(word, engine);
    }
    return engine;
  };
  /** Emitted events of newer versions: passed through, and reported once. */
  const unknown = new Map<string, Problem>();
  return {
    get problems() {
      return [...problems, ...unknown.values()];
    },
    close: () => mcp.close(),
    async emit(native, { signal } = {}) {
      const word = wordOf(native);
      if (word === '')
        throw new TypeError(`emit: hook_event_name is missing; known are ${GOOSE_WORDS.join(', ')}`);
      if (!GOOSE_WORDS.includes(word)) unknown.set(word, unknownWord(word));
      const event = resumes.flag(eventOf(native, here.cwd, lexicon));
      const outcome = await engineFor(word).fire(event, signal);
      return outcome === undefined
        ? NOT_BLOCKED
        : gooseResultOf(outcomeOf(resumes.cap(outcome, event), event.name));
    },
  };
}

const GOOSE_WORDS: readonly string[] = Object.values(goose.words).flatMap(
  (list: readonly string[] | null) => list ?? [],
);

const unknownWord = (word: string): Problem => ({
  code: 'unknown-event',
  file: '(emit)',
  key: 'hook_event_name',
  message: `unknown event ${JSON.stringify(word)}: it is passed through, and only hooks for this event name run.`,
  remedy: suggestion(word, GOOSE_WORDS),
  severity: 'warning',
});

interface GooseSettings {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
}

function read(locations: Required<Locations>, { callTool }: GooseOptions): GooseSettings {
  const loaded = loadSettings(READ, locations);
  const named = nameServers(loaded.hooks, locations, { hasClient: callTool !== undefined });
  const isOpen = loaded.settings.some(({ layer, values }) => layer === 'user' && values[GATE] === true);
  return {
    hooks: named.hooks.map((hook) => (named.borrowed.has(hook) && !isOpen ? withoutServer(hook) : hook)),
    problems: [...loaded.problems, ...named.problems],
  };
}

/** If a project's hooks are off, its servers do not start either. */
const withoutServer = (hook: Hook): Hook => ({
  ...hook,
  run: {
    kind: 'missing',
    why: {
      kind: 'unavailable',
      detail: `its server is in the project's .mcp.json, and "${GATE}" is not true`,
    },
  },
});

/** Goose's extensions name their tools `extension__tool`. */
const withFullNames = (call: GooseOptions['callTool']): GooseOptions['callTool'] =>
  call && ((tool, args, how) => call(how.server === undefined ? tool : `${how.server}__${tool}`, args, how));

const wordOf = (native: GooseEvent | undefined): string =>
  [native?.hook_event_name, native?.['event']].find((word) => typeof word === 'string') ?? '';

/** The call with our names, so that every spelling of a tool matches. The host's names are kept with it. */
function eventOf(native: GooseEvent, cwd: string, lexicon: Lexicon): Event {
  const event = goose.payload.read(native);
  const scene = { ...event.scene, cwd: resolve(cwd, event.scene.cwd) };
  if (rowOf(event.name).subject !== 'tool') return { ...event, scene };
  const { tool, input } = event.payload as { tool: string; input: Record<string, unknown> };
  const common = lexicon.read(tool, input);
  const payload = { ...event.payload, tool: common.tool, input: common.input } as Event['payload'];
  return { ...event, scene, payload, native: common.native };
}
