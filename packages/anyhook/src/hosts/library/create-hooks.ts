/** The door for agent authors: hooks from everywhere, one `fire`, one outcome. */
import { EVERYTHING } from '../../canon/capabilities.ts';
import type { Event, Moment } from '../../canon/event.ts';
import { EVENT_NAMES } from '../../canon/events.ts';

import { makeLexicon } from '../../canon/lexicon.ts';
import type { Outcome } from '../../canon/outcome.ts';
import type { Problem } from '../../canon/problems.ts';
import { withDefaults } from '../../canon/services.ts';
import { isQuiet, nothingSaid } from '../../engine/direct.ts';
import { type Engine, makeEngine } from '../../engine/engine.ts';
import { lower } from '../../engine/lower.ts';
import { type CommandRunner, openCommandRunner } from '../../runners/command/index.ts';
import { dialectsNamed } from '../../assemble.ts';
import { execThrough } from './exec.ts';
import { explain } from './explain.ts';
import { foldersOf, groundOf } from './folders.ts';
import { gather, type Gathered } from './gather.ts';
import { makeLate } from './late.ts';
import { openLineage } from './lineage.ts';
import { inHostWords, makeEventOf } from './moment.ts';
import type { Hooks, Options } from './options.ts';
import { wantsOf } from './wants.ts';
import { openRecords, type Records } from './records.ts';
import { makeResumes } from './resumes.ts';
import { makeRun } from './runs.ts';
import { settingsOf } from './settings-of.ts';
import { sharedCommands } from './shared-commands.ts';
import { type Gate, openGate } from './trusted.ts';
import { makeWrapTool } from './wrap-tool.ts';

export async function createHooks(options: Options): Promise<Hooks> {
  const ground = groundOf(options);
  const folders = foldersOf(ground);
  const can = options.host.can === 'everything' ? EVERYTHING : options.host.can;
  const lineage = openLineage(ground.env);
  const own: CommandRunner | undefined =
    options.mode === 'one-shot' ? openCommandRunner({ mode: 'one-shot', env: ground.env }) : undefined;
  const commands = () => own ?? sharedCommands();
  const services = withDefaults(options.services ?? {}, execThrough(commands, ground.cwd));
  const late = makeLate();
  const resumes = makeResumes();
  let state = await read();

  interface State {
    readonly engine: Engine;
    readonly gathered: Gathered;
    readonly gate: Gate;
    readonly problems: readonly Problem[];
    readonly records: Records | undefined;
    readonly wants: Hooks['wants'];
    readonly eventOf: (moment: Moment) => Event;
  }
  /** Read once and frozen: what changes on disk counts from the next session, or when the person reloads. */
  async function read(): Promise<State> {
    const known = dialectsNamed(options.dialects);
    const gate = openGate(ground, folders, options.trust ?? {});
    const gathered = await gather(options, known.dialects, ground, gate, services);
    const wanted = settingsOf(gathered.settings, options);
    const { dialects, problems } = dialectsNamed(wanted.order ?? options.dialects);
    const byId = new Map(gathered.hooks.map((hook) => [hook.id, hook]));
    const lexicon = makeLexicon(
      dialects.map(({ tools }) => tools),
      options.host.tools,
    );
    const endings = new Set(dialects.flatMap(({ words }) => words['session.end'] ?? []));
    const engine = makeEngine({
      dialects,
      hooks: gathered.hooks,
      run: makeRun({ commands, services, lineage, endings, isolated: gathered.runIsolated }),
      services,
      spellings: lexicon.spellings,
      lacks: EVENT_NAMES.filter((name) => can[name] === undefined),
      shadow: wanted.shadow,
      ...(options.budgetMs !== undefined && { budgetMs: options.budgetMs }),
      ...(options.onStart && { onStart: options.onStart }),
      ...(options.onEnd && { onEnd: options.onEnd }),
      onLate: (run, hook, event) => {
        late.heard(run, event);
        options.onLate?.(run, hook);
      },
    });
    const records =
      wanted.journal === false
        ? undefined
        : openRecords({
            journal: wanted.journal,
            folders,
            host: options.host,
            env: ground.env,
            hookOf: (id) => byId.get(id),
            warn: (message) => services.log('error', message),
          });
    return {
      engine,
      gathered,
      gate,
      problems: [...known.problems, ...problems, ...gathered.problems],
      records,
      wants: wantsOf(engine),
      eventOf: makeEventOf({ cwd: ground.cwd, lexicon }),
    };
  }

  function fire(moment: Moment): Promise<Outcome> {
    if (!state.wants[moment.name]) return Promise.resolve(nothingSaid(moment.payload));
    const event = resumes.flag(state.eventOf(moment));
    const started = state.records === undefined ? 0 : performance.now();
    const answer = state.engine.fire(event, moment.signal ?? options.signal);
    if (answer === undefined) return Promise.resolve(nothingSaid(moment.payload));
    return answer instanceof Promise
      ? answer.then((outcome) => finish(outcome, event, started))
      : Promise.resolve(finish(answer, event, started));
  }
  function finish(outcome: Outcome, event: Event, started: number): Outcome {
    const joined = late.join(resumes.cap(outcome, event), event);
    const low = isQuiet(joined) ? joined : lower(joined, event, can);
    const kept = state.records?.keep(event, low, performance.now() - started) ?? low;
    return inHostWords(kept, event);
  }

  return {
    get wants() {
      return state.wants;
    },
    fire,
    wrapTool: makeWrapTool(fire, services),
    plan: (moment) => explain(state.engine, state.eventOf(moment)),
    get hooks() {
      return state.gathered.hooks;
    },
    get problems() {
      return state.problems;
    },
    get examined() {
      return state.gate.examined;
    },
    grant: (entry) => state.gate.grant(entry),
    async reload() {
      const before = state;
      state = await read();
      before.gathered.close();
      before.records?.close();
    },
    async close() {
      state.gathered.close();
      state.records?.close();
      lineage.close();
      await own?.close();
    },
  };
}
