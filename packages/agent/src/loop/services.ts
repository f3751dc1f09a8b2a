/** Implements every service that hooks may use in this agent. */

import type { Fields, Services, SideSessions } from 'anyhook';
import type { Listen } from '../front/happening.ts';
import type { Person } from '../front/person.ts';
import type { Session } from '../session/session.ts';
import { sessionView } from '../session/view.ts';
import type { ModelView } from './models-in.ts';

/** The parts of the agent that services need. */
export interface ServedAgent {
  readonly current: Session;
  isIdle(): boolean;
  waitForIdle(): Promise<void>;
  abort(): void;
  hasQueued(): boolean;
  newSession(how?: { readonly parentSession?: string }): Promise<boolean>;
  branch(entry: string): Promise<boolean>;
  navigate(entry: string, how: { readonly summarize: boolean }): Promise<boolean>;
  send(message: Fields, how: { readonly trigger: boolean }): void;
  callTool(name: string, input: Fields, signal: AbortSignal): Promise<unknown>;
  /** The active model, then the other models in the settings. */
  models(): readonly ModelView[];
  readonly beside: SideSessions;
  /** The settings after hooks changed them. */
  config(): Fields;
}

/** `agent` returns undefined while modules load; services then have no effect. */
export function servicesOf(
  agent: () => ServedAgent,
  person: Person,
  listen: Listen,
  judge: NonNullable<Services['judge']>,
): Services {
  const models = () => {
    try {
      return agent().models();
    } catch {
      return []; // The agent is still starting.
    }
  };
  const session = () => agent().current;
  return {
    ...(person.dialogs && { ui: person.dialogs }),
    session: {
      entries: () => session().entries,
      view: () => sessionView(session),
      isIdle: () => agent().isIdle(),
      waitForIdle: () => agent().waitForIdle(),
      abort: () => agent().abort(),
      hasQueued: () => agent().hasQueued(),
      async act(what, how) {
        const isDone = await ACTS[what](agent(), how);
        return { cancelled: !isDone };
      },
    },
    sessions: besideIn(() => agent().beside),
    config: () => agent().config(),
    messages: {
      send: (message, how = {}) => agent().send(message, { trigger: how.trigger === true }),
      append: (type, data) => void session().append({ type: 'custom', customType: type, data }),
    },
    tools: {
      register: (name) =>
        listen({
          kind: 'notice',
          level: 'warning',
          text: `the tool ${name} was registered too late and is not offered`,
        }),
      call: (name, input, signal) => agent().callTool(name, input, signal),
    },
    model: { current: () => models()[0] ?? null, all: models },
    log(level, message) {
      if (level !== 'debug') listen({ kind: 'notice', level: NOTICES[level], text: message });
    },
    judge,
  };
}

/** Looks up the agent at every call, because it does not exist yet while modules load. */
const besideIn = (beside: () => SideSessions): SideSessions => ({
  open: async (how) => beside().open(how),
  list: async () => beside().list(),
  entries: async (id) => beside().entries(id),
  prompt: async (id, prompt) => beside().prompt(id, prompt),
  abort: async (id) => beside().abort(id),
  rename: async (id, title) => beside().rename(id, title),
  remove: async (id) => beside().remove(id),
});

/** Log levels of modules, and output of module processes, as notices for the user. */
const NOTICES = { info: 'info', warn: 'warning', error: 'error' } as const;

const ACTS: Record<'new' | 'branch' | 'navigate', (agent: ServedAgent, how: Fields) => Promise<boolean>> = {
  async new(agent, { parentSession, setup }) {
    const isDone = await agent.newSession(typeof parentSession === 'string' ? { parentSession } : {});
    if (isDone && typeof setup === 'function')
      await (setup as (session: unknown) => unknown)(writable(agent));
    return isDone;
  },
  branch: (agent, { entryId }) => agent.branch(String(entryId)),
  navigate: (agent, { targetId, summarize }) =>
    agent.navigate(String(targetId), { summarize: summarize === true }),
};

/** In `newSession({ setup })` a module may write the first entries of the new session. */
const writable = (agent: ServedAgent) => ({
  ...sessionView(() => agent.current),
  appendMessage: (message: never) => agent.current.say(message).id,
  appendCustomEntry: (customType: string, data?: unknown) =>
    agent.current.append({ type: 'custom', customType, data }).id,
});
