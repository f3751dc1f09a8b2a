/** The tools of a judge for agent hooks: it may read, as rules and hooks allow. The user is never asked. */

import { tool, type ToolSet } from 'ai';
import { nobody } from '../front/person.ts';
import type { Actor } from '../hooks/wire.ts';
import { contentIn } from '../session/message.ts';
import { glob } from '../tools/glob.ts';
import { grep } from '../tools/grep.ts';
import { read } from '../tools/read.ts';
import { TodoList } from '../tools/todo-list.ts';
import type { AgentTool } from '../tools/tool.ts';
import { approve } from './approve.ts';
import { messageOf } from './failure.ts';
import type { Life } from './talk.ts';

export function lookAround(life: Life, who: Actor, signal: AbortSignal): ToolSet {
  const judge: Actor = { ...who, agent: 'judge', scene: { ...who.scene, agentType: 'judge' }, signal };
  return Object.fromEntries(
    [read, glob, grep].map((one) => [
      one.name,
      tool({
        description: one.description,
        inputSchema: one.schema,
        execute: (input, { toolCallId }) =>
          looked({ ...life, person: nobody }, judge, one, { id: toolCallId, input, signal }),
      }),
    ]),
  );
}

async function looked(
  life: Life,
  who: Actor,
  one: AgentTool,
  { id, input, signal }: { id: string; input: AgentTool['schema']['_output']; signal: AbortSignal },
): Promise<string> {
  const call = { id, tool: one.name, input };
  const approval = await approve({ life, who, signal, listen() {} }, one, call);
  if (approval.kind === 'refused') return `${one.name} was blocked: ${approval.reason}`;
  try {
    const { output, isError = false } = await one.execute(approval.input, {
      cwd: life.cwd,
      session: who.session,
      call: id,
      signal,
      progress() {},
      env: async () => ({}),
      edited: async () => {},
      todos: new TodoList(),
    });
    const content = [{ type: 'text', text: output }];
    const after = await life.wire.toolAfter(who, id, { ...call, input: approval.input, content, isError });
    return contentIn(after.payload.content)
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('');
  } catch (error) {
    return messageOf(error);
  }
}
