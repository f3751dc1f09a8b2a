/**
 * Runs the calls of one answer: approves them in order, runs read-only calls in parallel and other calls one after
 * another.
 */

import type { Outcome } from 'anyhook';
import { changedIn, isFields } from '../hooks/outcomes.ts';
import type { Call } from '../hooks/wire.ts';
import {
  type AssistantMessage,
  type Content,
  contentIn,
  type ToolResultMessage,
} from '../session/message.ts';
import type { AgentTool, ToolResult, ToolScene } from '../tools/tool.ts';
import { approve, type Approval } from './approve.ts';
import { messageOf } from './failure.ts';
import { ABORTED } from './model-messages.ts';
import type { Talk } from './talk.ts';

export interface Results {
  readonly messages: readonly ToolResultMessage[];
  /** Added after all results: providers require results directly after the calls. */
  readonly contexts: readonly string[];
  readonly halt?: string;
}
interface EndedCall {
  readonly message: ToolResultMessage;
  readonly contexts: readonly string[];
  readonly halt?: string;
}
const READ_ONLY: ReadonlySet<string> = new Set(['read', 'glob', 'grep', 'fetch']);

export async function runCalls(talk: Talk, { content }: Pick<AssistantMessage, 'content'>): Promise<Results> {
  const calls = content.flatMap((part): Call[] =>
    part.type === 'toolCall' ? [{ id: part.id, tool: part.name, input: part.arguments }] : [],
  );
  const ended: EndedCall[] = [];
  for (const group of groupsOf(calls)) {
    const halt = ended.find((one) => one.halt !== undefined)?.halt;
    if (talk.signal.aborted || halt !== undefined)
      ended.push(
        ...group.map((call) => ({
          message: resultOf(
            call,
            text(halt === undefined ? ABORTED : 'Not run: a hook stopped the agent.'),
            true,
          ),
          contexts: [],
        })),
      );
    else ended.push(...(await runGroup(talk, group)));
  }
  const halt = ended.find((one) => one.halt !== undefined)?.halt;
  return {
    messages: ended.map(({ message }) => message),
    contexts: ended.flatMap(({ contexts }) => contexts),
    ...(halt !== undefined && { halt }),
  };
}

/** Adjacent read-only calls form a group. */
function groupsOf(calls: readonly Call[]): Call[][] {
  const groups: Call[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    if (last !== undefined && READ_ONLY.has(call.tool) && READ_ONLY.has(last[0]!.tool)) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

async function runGroup(talk: Talk, calls: readonly Call[]): Promise<EndedCall[]> {
  const starts: (() => Promise<EndedCall>)[] = [];
  for (const call of calls) starts.push(await prepared(talk, call));
  return Promise.all(starts.map((start) => start()));
}

/** Does everything that must happen in order and returns a function that runs the call. */
async function prepared(talk: Talk, call: Call): Promise<() => Promise<EndedCall>> {
  talk.listen({ kind: 'tool', call: call.id, tool: call.tool, input: call.input });
  const tools = talk.life.tools().filter(({ name }) => talk.agent === undefined || name !== 'task');
  const tool = tools.find(({ name }) => name === call.tool);
  if (tool === undefined) {
    const why = `There is no tool '${call.tool}'. There are: ${tools.map(({ name }) => name).join(', ')}.`;
    return () => failedCall(talk, call, why, []);
  }
  const approval = await approve(talk, tool, call);
  if (approval.kind === 'refused') return () => refusedCall(talk, call, approval);
  return () => ranCall(talk, tool, { ...call, input: approval.input }, approval);
}

async function refusedCall(
  talk: Talk,
  call: Call,
  { reason, input, halt }: Extract<Approval, { kind: 'refused' }>,
): Promise<EndedCall> {
  const advice = await talk.life.wire.toolDenied(talk.who, { ...call, input }, reason);
  const again =
    advice.retry === undefined ? '' : ` You may try again: ${advice.retry || 'a hook allows it'}.`;
  const message = `${call.tool} was blocked: ${reason}.${again}`.replace(/([.!?])\.(\s|$)/, '$1$2');
  talk.listen({
    kind: 'tool-ended',
    call: call.id,
    tool: call.tool,
    output: message,
    isError: true,
    refused: reason,
  });
  return {
    message: resultOf(call, text(message), true),
    contexts: advice.contexts,
    ...(halt !== undefined && { halt }),
  };
}

async function ranCall(
  talk: Talk,
  tool: AgentTool,
  call: Call,
  { changed, contexts }: Extract<Approval, { kind: 'approved' }>,
): Promise<EndedCall> {
  const added: string[] = [...contexts];
  let result: ToolResult;
  const started = performance.now();
  const durationMs = () => Math.round(performance.now() - started);
  try {
    result = await tool.execute(call.input, sceneOf(talk, call, added));
    if (talk.signal.aborted) throw new Error(ABORTED);
  } catch (error) {
    const why = talk.signal.aborted ? ABORTED : messageOf(error);
    return failedCall(talk, call, why, changed, added, durationMs());
  }
  if (result.isError === true && result.hasEnded !== true)
    return failedCall(talk, call, result.output, changed, added, durationMs());
  const after = await talk.life.wire.toolAfter(talk.who, call.id, {
    tool: call.tool,
    input: call.input,
    content: text(result.output),
    ...(result.title !== undefined && { title: result.title }),
    details: result.metadata ?? {},
    isError: result.isError === true,
    durationMs: durationMs(),
  });
  const message = resultAfterHooks(talk, call, changed, after);
  const halt = after.flow.halt;
  return {
    message,
    contexts: [...added, ...after.forModel],
    ...(halt !== undefined && { halt: halt || 'a hook stopped the agent' }),
  };
}

/** The result as hooks changed it. Also reports the end of the call. */
function resultAfterHooks(
  talk: Talk,
  call: Call,
  changed: readonly string[],
  after: Outcome,
): ToolResultMessage {
  const { content, title, details, isError } = after.payload as {
    content: readonly unknown[];
    title?: string;
    details?: unknown;
    isError?: boolean;
  };
  const parts = contentIn(content);
  const isResultChanged = changedIn(after).some((field) => field.startsWith('content'));
  talk.listen({
    kind: 'tool-ended',
    call: call.id,
    tool: call.tool,
    output: textIn(parts),
    isError: isError === true,
    ...(title !== undefined && { title }),
    ...(changed.length > 0 && { changed, input: call.input }),
    ...(isFields(details) && typeof details['diff'] === 'string' && { diff: details['diff'] }),
  });
  const shown = [...parts, ...text(marksFor(talk, changed, isResultChanged))];
  return { ...resultOf(call, shown, isError === true), ...(details !== undefined && { details }) };
}

async function failedCall(
  talk: Talk,
  call: Call,
  why: string,
  changed: readonly string[],
  contexts: readonly string[] = [],
  durationMs?: number,
): Promise<EndedCall> {
  const advice = await talk.life.wire.toolFailed(talk.who, call, {
    error: why,
    interrupted: talk.signal.aborted,
    ...(durationMs !== undefined && { durationMs }),
  });
  talk.listen({ kind: 'tool-ended', call: call.id, tool: call.tool, output: advice.error, isError: true });
  return {
    message: resultOf(call, text(advice.error + marksFor(talk, changed, advice.changed)), true),
    contexts: [...contexts, ...advice.contexts],
    ...(advice.halt !== undefined && { halt: advice.halt }),
  };
}

function sceneOf(talk: Talk, { id }: Call, contexts: string[]): ToolScene {
  const { life, who, signal, session, todos, agent, listen, task } = talk;
  return {
    cwd: life.cwd,
    session: session.id,
    call: id,
    ...(agent && { agent: agent.id }),
    signal,
    progress: (output) => listen({ kind: 'tool-progress', call: id, text: output }),
    env: () => life.wire.shellEnv(who, id, life.cwd, definedIn(life.env)),
    async edited(file, change) {
      contexts.push(...(await life.wire.fileEdited(who, id, file, change)).contexts);
    },
    todos,
    ...(task && { task: (type: string, prompt: string) => task(talk, type, prompt) }),
  };
}

/** Notes in one line what hooks changed, so that the model does not mistake it for its own text or tool output. */
function marksFor({ life }: Talk, changed: readonly string[], isResultChanged: boolean): string {
  if (!life.settings.markChanges) return '';
  return [
    ...(changed.length > 0 ? [`[A hook changed this call before it ran: ${changed.join(', ')}.]`] : []),
    ...(isResultChanged ? ['[A hook changed this result.]'] : []),
  ]
    .map((line) => `\n${line}`)
    .join('');
}

const resultOf = ({ id, tool }: Call, content: readonly Content[], isError: boolean): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId: id,
  toolName: tool,
  content,
  isError,
  timestamp: Date.now(),
});
const text = (value: string): Content[] => (value === '' ? [] : [{ type: 'text', text: value }]);
const textIn = (content: readonly Content[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');
const definedIn = (env: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
