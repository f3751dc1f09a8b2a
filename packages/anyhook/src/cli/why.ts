import { eventNamed } from '../console/event-named.ts';
import { print, printJson, screenFor } from '../console/print.ts';
import { checkFolder, UsageError } from '../console/usage.ts';
import { DIALECTS } from '../dialects.ts';
import { EVERYTHING, lacksOf } from '../events/capabilities.ts';
import { type EventName, type Payload, rowOf } from '../events/events.ts';
import { isBuiltIn } from '../events/hook.ts';
import { namesIn } from '../events/lexicon.ts';
import { readEventWord } from '../events/native-names.ts';
import { firedAt } from '../events/nearest.ts';
import { nearest } from '../events/problems.ts';
import { TOOLS } from '../events/tools.ts';
import { wouldHave } from '../events/would-have.ts';
import { createHooks } from '../library/create-hooks.ts';
import { outcomeLines } from '../render/outcome-lines.ts';
import { brief } from '../render/safe.ts';
import type { Define } from './commands.ts';
import { explainCommand } from './explain.ts';
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
    .argument('[command or event]', 'A shell command in quotes, or an event such as tool.before')
    .option('--tool <name>', 'Tool of the event, by any agent’s name for it')
    .option('--input <json>', 'Input of the tool, as JSON')
    .option('--payload <json>', 'Whole payload as JSON, for other events')
    .option('--run', 'Run the hooks and show what each returns')
    .option('--last [what]', 'Show what happened to the last event, the last deny or the last tool.before')
    .option('--session <id>', 'Show the last event of this session')
    .option('--call <id>', 'Show the last event of this tool call')
    .option('--host <agent>', 'Select hooks as in this agent')
    .option('--cwd <folder>', 'Project folder')
    .option('--json', 'Print JSON')
    .action(async (event: string | undefined, options: WhyOptions) => done(await why(event, options)));
};

/** Exit 1 if no hook listens, not counting built-in ones. For a shell command, exit 1 if it would be refused. */
async function why(word: string | undefined, options: WhyOptions): Promise<number> {
  if (options.last !== undefined || options.session !== undefined || options.call !== undefined) {
    if (options.run === true)
      throw new UsageError('why: --last shows what happened and cannot be combined with --run');
    return whyLast(
      [options.last, word].filter((value) => typeof value === 'string'),
      options,
    );
  }
  if (word === undefined)
    throw new UsageError(
      "why: name a shell command or an event, or use --last. Example: anyhook why 'rm -rf build'",
    );
  checkFolder('why', options.cwd);
  if (isShellCommand(word)) {
    const { run, ...others } = options;
    const payload = { tool: 'shell', input: { command: word } } as Payload;
    return run === true ? whyRun('tool.before', payload, options) : explainCommand(word, others);
  }
  const event = eventNamed('why', word);
  const payload = payloadFrom(event, word, options) as Payload;
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

/** Neither an event by any agent's name nor close to one. */
function isShellCommand(word: string): boolean {
  const read = readEventWord(word, DIALECTS);
  return read.kind === 'unknown' && (/\s/.test(word) || read.near === undefined);
}

/** An event that the agent lacks is fired at another event, or never. */
function elsewhere(event: EventName, host: string | undefined): string[] {
  const lacks = lacksOf(canOfHost(host));
  if (host === undefined || !lacks.includes(event)) return [];
  const to = firedAt(event, lacks);
  return [
    `${host} has no ${event}: hooks for it ${to.length === 0 ? 'never run there' : `run at ${to.join(', ')}`}.`,
  ];
}

/** A tool name that no agent has is probably a typo. */
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
    `No known agent has a tool called ${JSON.stringify(tool)}${near === undefined ? '.' : `. Did you mean ${near}?`}`,
  ];
}

/** `word`: the event as the user typed it. It is the subject of an event that has no row in our table. */
function payloadFrom(event: EventName, word: string, options: WhyOptions): object {
  const whole = jsonOption('--payload', options.payload);
  const input = jsonOption('--input', options.input);
  const { tool } = options;
  const isTool = rowOf(event).subject === 'tool';
  if ((tool !== undefined || input !== undefined) && !isTool)
    throw new UsageError(`why: --tool and --input need a tool event, not ${event}. Use --payload.`);
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
    throw new UsageError(`why: ${name} is not JSON: ${(error as Error).message}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UsageError(`why: ${name} must be a JSON object, not ${brief(text, 60)}`);
}

/** Runs the hooks, as for an agent with every ability, without a record. Exit 1 if the event is refused. */
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
