/** Drives the bridge of every agent as the agent does: runs real hooks and reads the answer as the agent reads it. */

import { AGENTS, type AgentName } from '../../src/agents/index.ts';
import { findDialect } from '../../src/dialects.ts';
import type { Fields } from '../../src/events/effects.ts';
import type { EventName } from '../../src/events/events.ts';
import type { CommandRequest, Reply } from '../../src/events/exchange.ts';
import { spell } from '../../src/events/lexicon.ts';
import { answerFire, fireRequest, locationsFor, openHooks } from '../../src/fire/answer.ts';
import { fireArguments } from '../../src/fire/arguments.ts';
import { open } from '../../src/in-process/open.ts';
import { event } from '../../src/testing/index.ts';
import { SEATS } from './seats.ts';

/** How the agent interprets the answer. */
export interface Heard {
  readonly came: 'refused' | 'asked' | 'approved' | 'passed';
  /** All text of the answer, for the model or the user. */
  readonly text: string;
}
export interface Bridge {
  /** Asks about a call with our tool names. `session` selects another session. */
  readonly ask: (tool: string, input: Fields, session?: string) => Promise<Heard>;
  readonly close: () => Promise<unknown>;
}

export const openBridge = (name: AgentName, project: string): Promise<Bridge> =>
  (INSIDE[name] ?? byCommand)(name, project);

const MEANT = { deny: 'refused', ask: 'asked', allow: 'approved' } as const;

/** Agents that start a command: writes their payload and interprets their output. */
async function byCommand(name: AgentName, project: string): Promise<Bridge> {
  const { dialect } = AGENTS[name];
  const on: EventName = 'tool.before';
  const seat = SEATS.find((one) => one.dialect.name === dialect && one.about.name === on)!;
  const requestOf = (tool: string, input: Fields, session: string) => {
    const about = event(on, { tool, input }, { ids: { session, call: session }, scene: { cwd: project } });
    const { stdin } = seat.dialect.payload.write(about, seat.hook) as CommandRequest;
    const args = fireArguments(['--as', dialect, '--host', name, '--project', project]);
    return fireRequest(args, stdin!, { env: process.env, cwd: project });
  };
  const first = requestOf('shell', { command: 'ls' }, 's');
  const locations = locationsFor(first);
  const hooks = await openHooks(first, {
    locations,
    log: () => {},
    startedMs: performance.now(),
  });
  return {
    async ask(tool, input, session = JSON.stringify(input)) {
      const request = requestOf(tool, input, session);
      const said = await answerFire(request, hooks, { locations, startedMs: performance.now() });
      const reply: Reply = { kind: 'exited', ...said };
      const { effects } = seat.dialect.output.read(reply, request.event, seat.hook);
      const kinds = effects.map(({ kind }) => kind);
      const decisive = (['deny', 'ask', 'allow'] as const).find((kind) => kinds.includes(kind));
      const came = decisive === undefined ? 'passed' : MEANT[decisive];
      return { came, text: `${said.stdout}${said.stderr}` };
    },
    close: () => hooks.close(),
  };
}

type Listener = (event: object, context: object) => Promise<{ block?: true; reason?: string } | undefined>;
/** Agents that load our bridge as a module. */
const INSIDE: Partial<Record<AgentName, (name: AgentName, project: string) => Promise<Bridge>>> = {
  async opencode(_, project) {
    type Plugin = { dispose(): Promise<void> } & Record<
      string,
      (input: object, output: object) => Promise<void>
    >;
    const plugin = (await open('opencode', { directory: project })) as Plugin;
    return {
      async ask(called, said) {
        const { tool, input: args } = spell(findDialect('opencode')!.tools, called, said);
        const callID = JSON.stringify(said);
        try {
          await plugin['tool.execute.before']!({ tool, sessionID: 's', callID }, { args });
          return { came: 'passed', text: '' };
        } catch (error) {
          return { came: 'refused', text: (error as Error).message };
        }
      },
      close: () => plugin.dispose(),
    };
  },
  pi: piLike,
  'oh-my-pi': piLike,
};
async function piLike(name: AgentName, project: string): Promise<Bridge> {
  const listeners = new Map<string, Listener>();
  await open(name, { on: (word: string, listener: Listener) => listeners.set(word, listener) });
  const context = { cwd: project, sessionManager: { getSessionId: () => 's' } };
  const fire = (word: string, body: object) => listeners.get(word)!({ type: word, ...body }, context);
  return {
    async ask(called, said) {
      const { tool, input } = spell(findDialect('oh-my-pi')!.tools, called, said);
      const answer = await fire('tool_call', { toolName: tool, toolCallId: JSON.stringify(said), input });
      return { came: answer?.block === true ? 'refused' : 'passed', text: answer?.reason ?? '' };
    },
    close: () => fire('session_shutdown', {}),
  };
}
