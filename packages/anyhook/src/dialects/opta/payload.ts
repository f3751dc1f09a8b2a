/** Opta speaks through the environment; since its fourth version the same context also stands on stdin as JSON. */
import { same } from '../../canon/changes.ts';
import { cutJson, cutText } from '../../canon/cut.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { CallRequest, CommandRequest, Request, SendRequest } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import { callIn } from '../../canon/lexicon.ts';
import { perEvent } from '../../canon/per-event.ts';
import { OPTA_EVENTS, type OptaEvent, ours } from './names.ts';
import { tools } from './tools.ts';

/** The document's HookContext, and what the later versions add to it. */
export interface OptaContext {
  readonly event: OptaEvent;
  readonly session_id: string;
  readonly cwd: string;
  readonly tool_name?: string;
  /** JSON text. */
  readonly tool_args?: string;
  readonly tool_result?: string;
  readonly error_message?: string;
  readonly model?: string;
  readonly turn_index?: number;
  readonly prompt?: string;
  readonly stop_active?: boolean;
}

const RESULT_BYTES = 2048;
/** One environment string holds 131,071 bytes with its name; what is longer keeps a guard from starting at all. */
const ARGS_BYTES = 120_000;
const OTHER_BYTES = 32_768;

export const payload = { write, read };

const wordsFor = perEvent((event, word) => {
  const context = contextOf(event, word as OptaEvent);
  return { stdin: JSON.stringify(context), ...environment(context) };
});

function write(event: Event, hook: Hook): Request {
  const { stdin, env, files } = wordsFor(event, hook.on);
  if (hook.run.kind === 'prompt') return { kind: 'send', body: stdin } satisfies SendRequest;
  if (hook.run.kind === 'call') return { kind: 'call', args: [JSON.parse(stdin)] } satisfies CallRequest;
  return { kind: 'command', cwd: event.scene.cwd, stdin, env, files } satisfies CommandRequest;
}

/** What a hook of this word is told about the event. */
export function contextOf(event: Event, word: OptaEvent): OptaContext {
  const load = event.payload as Fields;
  return {
    event: word,
    session_id: event.ids.session,
    cwd: event.scene.cwd,
    ...(event.scene.model !== undefined && { model: event.scene.model }),
    ...(typeof load['tool'] === 'string' && toolOf(event)),
    ...(word === 'tool.post' && { tool_result: textOf(load['content']) }),
    ...(word === 'error' && { error_message: String(load['message'] ?? '') }),
    ...(word === 'turn.done' && typeof load['index'] === 'number' && { turn_index: load['index'] }),
    ...(word === 'prompt.pre' && { prompt: String(load['prompt'] ?? '') }),
    ...(word === 'stop' && { stop_active: load['active'] === true }),
  };
}

/** A context that came from an Opta program goes on as it came: its text is not written anew unless it was changed. */
function toolOf(event: Event) {
  const raw = event.raw as Partial<OptaContext> | undefined;
  const { tool, input } = event.payload as { tool: string; input: Fields };
  if (typeof raw?.tool_args === 'string' && same(inputOf(raw.tool_args), input))
    return { tool_name: raw.tool_name ?? tool, tool_args: raw.tool_args };
  const theirs = callIn(tools, event);
  return { tool_name: theirs.tool, tool_args: JSON.stringify(theirs.input) };
}

/** Text parts of a result, as a model would read them. */
function textOf(content: unknown): string {
  if (!Array.isArray(content)) return content === undefined ? '' : String(content);
  return content
    .map((part: unknown) =>
      typeof part === 'string' ? part : ((part as { text?: unknown } | null)?.text ?? ''),
    )
    .join('');
}

/** The variables of section 4. `OPTA_MODEL` is always set; the rest only where it applies. */
export function environment(context: OptaContext) {
  const env: Record<string, string> = {
    OPTA_EVENT: context.event,
    OPTA_SESSION_ID: context.session_id,
    OPTA_CWD: context.cwd,
    OPTA_MODEL: context.model ?? '',
  };
  const files: Record<string, string> = {};
  const put = (name: string, text: string | undefined, bytes = OTHER_BYTES) => {
    if (text !== undefined && text !== '') env[name] = cutText(text, bytes).replaceAll('\0', '\uFFFD');
  };
  put('OPTA_TOOL_NAME', context.tool_name);
  put('OPTA_TOOL_RESULT', context.tool_result, RESULT_BYTES);
  put('OPTA_ERROR', context.error_message);
  put('OPTA_TURN_INDEX', context.turn_index?.toString());
  put('OPTA_PROMPT', context.prompt);
  if (context.stop_active === true) env['OPTA_STOP_ACTIVE'] = '1';
  if (context.tool_args !== undefined && context.tool_args !== '') {
    const shorter = fitting(context.tool_args);
    env['OPTA_TOOL_ARGS'] = (shorter ?? context.tool_args).replaceAll('\0', '\uFFFD');
    if (shorter !== null) {
      env['OPTA_TOOL_ARGS_TRUNCATED'] = '1';
      files['OPTA_PAYLOAD_FILE'] = JSON.stringify(context);
    }
  }
  return { env, files };
}

function fitting(args: string): string | null {
  if (Buffer.byteLength(args) <= ARGS_BYTES) return null;
  try {
    return cutJson(JSON.parse(args), ARGS_BYTES);
  } catch {
    return cutText(args, ARGS_BYTES); // a host that sends no JSON here gets its text cut as text
  }
}

/** An Opta agent's event: its JSON context, or its `OPTA_*` variables. */
function read(native: unknown, env: Readonly<Record<string, string | undefined>> = {}): Event {
  const said =
    typeof native === 'object' && native !== null ? (native as Partial<OptaContext>) : fromEnvironment(env);
  const name = said.event === undefined ? undefined : ours(said.event);
  if (name === undefined)
    throw new TypeError(`no Opta event: ${JSON.stringify(said.event)}; known are ${OPTA_EVENTS.join(', ')}`);
  return {
    name,
    payload: payloadOf(said) as Event['payload'],
    ids: { session: said.session_id ?? '' },
    scene: { cwd: said.cwd ?? '', ...(said.model && { model: said.model }) },
    raw: native ?? said,
    round: 1,
  };
}

const PAYLOADS: Record<OptaEvent, (said: Partial<OptaContext>) => Fields> = {
  'session.start': () => ({}),
  'session.end': () => ({}),
  'tool.pre': (said) => ({ tool: said.tool_name ?? '', input: inputOf(said.tool_args) }),
  'tool.post': (said) => ({
    tool: said.tool_name ?? '',
    input: inputOf(said.tool_args),
    content: [{ type: 'text', text: said.tool_result ?? '' }],
  }),
  compact: () => ({}),
  error: (said) => ({ message: said.error_message ?? '' }),
  'turn.done': (said) => (said.turn_index === undefined ? {} : { index: said.turn_index }),
  'prompt.pre': (said) => ({ prompt: said.prompt ?? '' }),
  stop: (said) => ({ active: said.stop_active === true }),
};
const payloadOf = (said: Partial<OptaContext>): Fields => PAYLOADS[said.event!](said);

/** Arguments that are no JSON object must not get lost on the way to a guard: they travel as text. */
function inputOf(args: string | undefined): Fields {
  if (args === undefined || args === '') return {};
  try {
    const value: unknown = JSON.parse(args);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : { value };
  } catch {
    return { text: args };
  }
}

const fromEnvironment = (env: Readonly<Record<string, string | undefined>>): Partial<OptaContext> => ({
  ...(env['OPTA_EVENT'] !== undefined && { event: env['OPTA_EVENT'] as OptaEvent }),
  ...(env['OPTA_SESSION_ID'] !== undefined && { session_id: env['OPTA_SESSION_ID'] }),
  ...(env['OPTA_CWD'] !== undefined && { cwd: env['OPTA_CWD'] }),
  ...(env['OPTA_MODEL'] !== undefined && { model: env['OPTA_MODEL'] }),
  ...(env['OPTA_TOOL_NAME'] !== undefined && { tool_name: env['OPTA_TOOL_NAME'] }),
  ...(env['OPTA_TOOL_ARGS'] !== undefined && { tool_args: env['OPTA_TOOL_ARGS'] }),
  ...(env['OPTA_TOOL_RESULT'] !== undefined && { tool_result: env['OPTA_TOOL_RESULT'] }),
  ...(env['OPTA_ERROR'] !== undefined && { error_message: env['OPTA_ERROR'] }),
  ...(env['OPTA_TURN_INDEX'] !== undefined && { turn_index: Number(env['OPTA_TURN_INDEX']) }),
  ...(env['OPTA_PROMPT'] !== undefined && { prompt: env['OPTA_PROMPT'] }),
  ...(env['OPTA_STOP_ACTIVE'] !== undefined && { stop_active: env['OPTA_STOP_ACTIVE'] === '1' }),
});
