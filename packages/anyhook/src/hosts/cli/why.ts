import { EVERYTHING } from '../../canon/capabilities.ts';
import { DIALECTS } from '../../assemble.ts';
import { EVENT_NAMES, type EventName, isEventName, type Payload, rowOf } from '../../canon/events.ts';
import type { Hook } from '../../canon/hook.ts';
import { namesIn } from '../../canon/lexicon.ts';
import { nearest } from '../../canon/problems.ts';
import { TOOLS } from '../../canon/tools.ts';
import { last, withEnds } from '../../journal/index.ts';
import { outcomeLines } from '../../views/outcome-lines.ts';
import { recordChain } from '../../views/record-lines.ts';
import { brief } from '../../views/safe.ts';
import { type Screen, shortPath } from '../../views/screen.ts';
import { whatRuns } from '../../views/what-runs.ts';
import { wrap } from '../../views/wrap.ts';
import { journalFolder } from '../console/journal-folder.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Explained } from '../library/explain.ts';
import type { Hooks } from '../library/hooks.ts';
import type { Define } from './commands.ts';
import { plainHook } from './list.ts';
import { survey } from './survey.ts';

interface WhyOptions {
  readonly last?: boolean;
  readonly session?: string;
  readonly run?: boolean;
  readonly tool?: string;
  readonly input?: string;
  readonly payload?: string;
  readonly cwd?: string;
  readonly json?: boolean;
}

export const define: Define = (command, done) => {
  command
    .argument('[event]', 'an event of the canon, such as tool.before')
    .option('--tool <name>', 'the tool, in any agent’s spelling')
    .option('--input <json>', 'its input as JSON')
    .option('--payload <json>', 'the whole payload as JSON, for other events')
    .option('--run', 'ask the hooks for real, and show what each made of it')
    .option('--last', 'what happened to the last event that was recorded')
    .option('--session <id>', 'to the last one of this session')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (event: string | undefined, options: WhyOptions) => done(await why(event, options)));
};

/** Exit 1 when nobody would be asked; what is built in does not count. */
async function why(event: string | undefined, options: WhyOptions): Promise<number> {
  if (options.last === true || options.session !== undefined) {
    if (event !== undefined || options.run === true)
      throw new UsageError('why: --last is about what happened; it takes no event and runs nothing');
    return whyLast(options);
  }
  if (event === undefined) throw new UsageError("why: missing required argument 'event', or --last");
  if (!isEventName(event))
    throw new UsageError(`why: no event is called ${JSON.stringify(event)}; ${meant(event)}`);
  const payload = payloadFrom(event, options) as Payload;
  checkFolder('why', options.cwd);
  if (options.run === true) return whyRun(event, payload, options);
  const hooks = await survey(options.cwd);
  const explained = hooks.plan({ name: event, payload });
  await hooks.close();
  if (options.json === true)
    printJson({
      event: explained.event,
      asked: explained.asked.map(({ hook, ...rest }) => ({ hook: plainHook(hook), ...rest })),
      unmatched: explained.unmatched,
    });
  else print([...lines(event, explained, hooks, screenFor(options.cwd)), ...hint(options.tool)]);
  return explained.asked.some(({ hook, matches }) => matches && hook.origin.file !== '(built in)') ? 0 : 1;
}

const meant = (event: string): string => {
  const near = nearest(event, EVENT_NAMES);
  return near === undefined ? `known are ${EVENT_NAMES.join(', ')}` : `did you mean ${near}?`;
};

function lines(
  event: EventName,
  { asked, unmatched }: Explained,
  { hooks }: Hooks,
  screen: Screen,
): string[] {
  const { paint } = screen;
  if (asked.length === 0 && unmatched.length === 0) return [`Nobody listens to ${event}.`];
  const chosen = asked.flatMap(({ hook, as, matches, why: reason }, at) => {
    const state = matches ? paint('green', 'would be asked') : paint('yellow', 'would not run');
    const fits = hook.matcher === undefined ? 'about everything' : `matches ${brief(hook.matcher, 40)}`;
    const isWaiting = hook.run.kind === 'missing' && hook.run.why.kind === 'not-trusted';
    const against = isWaiting ? 'it waits for trust' : brief(reason, 200);
    return told(`${at + 1}.`, `${state}: ${matches ? fits : against}`, hook, as === event ? '' : as, screen);
  });
  const passed = hooks
    .filter(({ id }) => unmatched.includes(id))
    .flatMap((hook) =>
      told(
        '-',
        `${paint('dim', 'does not match')}: wants ${brief(hook.matcher ?? '?', 40)}`,
        hook,
        '',
        screen,
      ),
    );
  return [...chosen, ...passed];
}

function told(mark: string, what: string, hook: Hook, as: string, screen: Screen): string[] {
  const { paint, width } = screen;
  const place = `${shortPath(hook.origin.file, screen)}${hook.origin.file.startsWith('(') ? '' : `:${hook.origin.line}`}`;
  const moment = as === '' ? hook.on : `${hook.on}, fired here for want of ${as}`;
  return [
    ...wrap(`${mark.padEnd(3)} ${what}`, width, '    '),
    `    ${brief(whatRuns(hook), width - 4)}`,
    `    ${paint('dim', `${place} · ${hook.dialect} ${moment}`)}`,
  ];
}

/** A tool that no agent has is likelier a slip than a tool. */
function hint(tool: string | undefined): string[] {
  if (tool === undefined || tool.startsWith('mcp__')) return [];
  const ours = Object.keys(TOOLS);
  const known = new Set([
    ...ours,
    ...DIALECTS.flatMap(({ tools }) => ours.flatMap((name) => namesIn(tools, name))),
  ]);
  const near = known.has(tool) ? undefined : nearest(tool, known);
  if (known.has(tool)) return [];
  return [
    '',
    `No agent here has a tool called ${JSON.stringify(tool)}${near === undefined ? '.' : `; did you mean ${near}?`}`,
  ];
}

function payloadFrom(event: EventName, options: WhyOptions): object {
  const whole = jsonOption('--payload', options.payload);
  const input = jsonOption('--input', options.input);
  const { tool } = options;
  const isTool = rowOf(event).subject === 'tool';
  if ((tool !== undefined || input !== undefined) && !isTool)
    throw new UsageError(`why: --tool and --input belong to tool events, not to ${event}; use --payload`);
  if (!isTool) return whole ?? {};
  const { tool: itsTool = '', input: itsInput = {} } = (whole ?? {}) as { tool?: unknown; input?: unknown };
  return { ...whole, tool: tool ?? itsTool, input: input ?? itsInput };
}

function jsonOption(name: string, text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`why: ${name} is no JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UsageError(`why: ${name} wants a JSON object, not ${brief(text, 60)}`);
}

/** What happened to the last event, from the journal: the same chain, as it was. Exit 1 when no hook was asked. */
function whyLast({ session, cwd, json }: WhyOptions): number {
  const folder = journalFolder(cwd);
  const fired = last({ folder }, session === undefined ? {} : { session });
  if (fired === undefined)
    throw new UsageError(
      `why: nothing was recorded${session === undefined ? '' : ` of the session ${session}`} in ${folder}`,
    );
  const record = withEnds(fired, folder);
  if (json === true) printJson(record);
  else print(recordChain(record, screenFor(cwd)));
  return record.hooks.some(({ skipped, late }) => skipped === undefined || late !== undefined) ? 0 : 1;
}

/** The hooks are asked for real, as for an agent that can do everything; nothing is recorded. Exit 1 when it may not happen. */
async function whyRun(event: EventName, payload: Payload, options: WhyOptions): Promise<number> {
  const hooks = await createHooks({
    host: { name: 'anyhook', can: EVERYTHING, mode: 'one-shot' },
    journal: false,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  const outcome = await hooks.fire({ name: event, payload });
  await hooks.close();
  const byId = new Map(hooks.hooks.map((hook) => [hook.id, hook]));
  if (options.json === true) printJson({ before: payload, outcome });
  else print(outcomeLines(event, payload, outcome, (id) => byId.get(id), screenFor(options.cwd)));
  return outcome.proceed === 'no' ? 1 : 0;
}
