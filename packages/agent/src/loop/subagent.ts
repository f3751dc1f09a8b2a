/** Runs a subagent for the `task` tool: a separate conversation with its own id and file. Returns its last message. */

import { randomBytes } from 'node:crypto';
import type { Happening } from '../front/happening.ts';
import { textOf } from '../session/message.ts';
import type { Session } from '../session/session.ts';
import { TodoList } from '../tools/todo-list.ts';
import { runLoop } from './run-loop.ts';
import { hideContexts, type Talk } from './talk.ts';

/** Happenings of a subagent that are shown to the user, besides its start and end. */
const SHOWN: ReadonlySet<Happening['kind']> = new Set([
  'tool',
  'tool-progress',
  'tool-ended',
  'notice',
  'custom',
  'usage',
  'retrying',
  'compacting',
  'compacted',
]);

/** A separate conversation in the session, whose events carry its id. */
export function subagentTalk(
  parent: Talk,
  session: Session,
  { id, type }: { readonly id: string; readonly type: string },
): Talk {
  const { task: _onlyAbove, system: _onlyThere, ...shared } = parent;
  return {
    ...shared,
    session,
    agent: { id, type },
    who: {
      ...parent.who,
      agent: id,
      scene: { ...parent.who.scene, agentType: type, transcript: session.file },
    },
    track: `task:${type}`,
    todos: new TodoList(),
    listen: (happening) => SHOWN.has(happening.kind) && parent.listen(happening),
    takeQueued: async () => false,
  };
}

export async function runSubagent(parent: Talk, type: string, prompt: string): Promise<string> {
  const { life, listen } = parent;
  const id = `agent-${randomBytes(4).toString('hex')}`;
  const session = life.store.subagent(parent.session, id);
  const talk = subagentTalk(parent, session, { id, type });
  const started = await life.wire.subagentStart(talk.who, type, prompt);
  if (started.refused !== undefined) throw new Error(`the subagent was not started: ${started.refused}`);
  listen({ kind: 'subagent', agent: id, type, state: 'started' });
  try {
    session.say({ role: 'user', content: prompt, timestamp: Date.now() });
    hideContexts(session, started.contexts);
    const ending = await runLoop(talk);
    if (ending.why !== 'done')
      throw new Error(
        `the subagent stopped (${ending.why})${ending.detail === undefined ? '' : `: ${ending.detail}`}`,
      );
    const last = session.messages().findLast(({ role }) => role === 'assistant');
    return last === undefined ? '' : textOf(last);
  } finally {
    session.close();
    listen({ kind: 'subagent', agent: id, type, state: 'ended' });
  }
}
