import { EVERYTHING, lacksOf } from '../events/capabilities.ts';
import { DIALECTS } from '../dialects.ts';
import { type EventName, type Payload, rowOf } from '../events/events.ts';
import { isBuiltIn } from '../events/hook.ts';
import { namesIn } from '../events/lexicon.ts';
import { firedAt } from '../events/nearest.ts';
import { nearest } from '../events/problems.ts';
import { TOOLS } from '../events/tools.ts';
import { wouldHave } from '../events/would-have.ts';
import { outcomeLines } from '../render/outcome-lines.ts';
import { brief } from '../render/safe.ts';
import { eventNamed } from '../console/event-named.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Define } from './commands.ts';
import { plainHook } from './list.ts';
import { planLines } from './plan-lines.ts';
import { canOfHost, survey } from './survey.ts';
import { type LastOptions, whyLast } from './why-last.ts';

interface WhyOptions extends LastOptions {
  readonly run?: boolean;
  readonly tool?: string;
  readonly input?: string;
  readonly payload?: string;
  readonly host?: string;
}

export const define: Define = (command, done) => {
  command
    .argument('[event]', 'such as tool.before, in any agent’s word for it')
    .option('--tool <name>', 'the tool, in any agent’s spelling')
    .option('--input <json>', 'its input as JSON')
    .option('--payload <json>', 'the whole payload as JSON, for other events')
    .option('--run', 'ask the hooks for real, and show what each made of it')
    .option(
      '--last [what]',
      'what happened to the last event: of all, or the last deny, the last tool.before',
    )
    .option('--session <id>', 'to the last one of this session')
    .option('--call <id>', 'to the last one of this tool call')
    .option('--host <agent>', 'as that agent asks them')
    .option('--cwd <folder>', 'the project')
    .option('--json', 'as JSON')
    .action(async (event: string | undefined, options: WhyOptions) => done(await why(event, options)));
};

/** Exit 1 when nobody would be asked; what is built in does not count. */
async function why(word: string | undefined, options: WhyOptions): Promise<number> {
  if (options.last !== undefined || options.session !== undefined || options.call !== undefined) {
    if (options.run === true) throw new UsageError('why: --last is about what happened; it runs nothing');
    return whyLast(
      [options.last, word].filter((one) => typeof one === 'string'),
      options,
    );
  }
  if (word === undefined) throw new UsageError("why: missing required argument 'event', or --last");
  const event = eventNamed('why', word);
  const payload = payloadFrom(event, word, options) as Payload;
  checkFolder('why', options.cwd);
  if (options.run === true) return whyRun(event, payload, options);
  const hooks = await survey(options.cwd, options.host === undefined ? {} : { agent: options.host });
  const explained = hooks.plan({ name: event, payload });
  await hooks.close();
  if (options.json === true)
    printJson({
      event: explained.event,
      asked: explained.asked.map(({ hook, ...rest }) => ({ hook: plainHook(hook), ...rest })),
      unmatched: explained.unmatched,
    });
  else
    print([
      ...elsewhere(event, options.host),
      ...planLines(explained, hooks.hooks, screenFor(options.cwd)),
      ...hint(options.tool),
    ]);
  return explained.asked.some(({ hook, matches }) => matches && !isBuiltIn(hook)) ? 0 : 1;
}

/** What the agent lacks it fires elsewhere, or never. */
function elsewhere(event: EventName, host: string | undefined): string[] {
  const lacks = lacksOf(canOfHost(host));
  if (host === undefined || !lacks.includes(event)) return [];
  const to = firedAt(event, lacks);
  return [
    `${host} has no ${event}: its hooks are ${to.length === 0 ? 'never asked there' : `fired at ${to.join(', ')}`}.`,
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

/** `word`: what the person called the event; of one that the canon has no name for, it is the subject. */
function payloadFrom(event: EventName, word: string, options: WhyOptions): object {
  const whole = jsonOption('--payload', options.payload);
  const input = jsonOption('--input', options.input);
  const { tool } = options;
  const isTool = rowOf(event).subject === 'tool';
  if ((tool !== undefined || input !== undefined) && !isTool)
    throw new UsageError(`why: --tool and --input belong to tool events, not to ${event}; use --payload`);
  if (event === 'other' && word !== event) return { word, ...whole };
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

/** The hooks are asked for real, as for an agent that can do everything; nothing is recorded. Exit 1 when it may not happen. */
async function whyRun(event: EventName, payload: Payload, options: WhyOptions): Promise<number> {
  const hooks = await createHooks({
    host: { name: 'anyhook', can: EVERYTHING },
    journal: false,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  const outcome = await hooks.fire({ name: event, payload });
  await hooks.close();
  const byId = new Map(hooks.hooks.map((hook) => [hook.id, hook]));
  if (options.json === true) printJson({ before: payload, outcome, wouldHave: wouldHave(outcome.runs) });
  else print(outcomeLines(event, payload, outcome, (id) => byId.get(id), screenFor(options.cwd)));
  return outcome.proceed === 'no' ? 1 : 0;
}
