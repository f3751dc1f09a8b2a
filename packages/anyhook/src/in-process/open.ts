/** Entry point of the module that `install` adds to an agent: connects the engine with the agent's own adapter. */

import type { InsideEngine } from '../agents/shared/inside.ts';
import type { EventInput } from '../events/event.ts';
import type { Usage } from '../events/usage.ts';
import { noteJudged } from '../fire/note-judged.ts';
import { noteBridgeCall } from '../gather/bridge-calls.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgent } from '../gather/known-agents.ts';
import { strictly } from '../gather/strictly.ts';
import { createHooks } from '../library/create-hooks.ts';
import { leftToHost } from '../library/left-to-agent.ts';
import { withProblems } from '../library/what-is-off.ts';
import { SessionUsage } from '../usage/session-usage.ts';

/** Time reserved from the agent's limit to answer. */
const MARGIN_MS = 500;

/** `given` is what the agent passes to its plugins. Returns what the agent expects from a plugin. */
export async function open(
  name: string,
  given: object,
  { strict = false }: { readonly strict?: boolean } = {},
): Promise<unknown> {
  const agent = knownAgent(name, () => foldersOf(locationsOf({})));
  if (agent === undefined || agent.inside === null)
    throw new Error(`no agent called ${JSON.stringify(name)} loads anyhook as a module`);
  const { can, seen, handlerLimitMs, usage: usageSource } = agent;
  const openEngine = async (cwd: string, version?: string): Promise<InsideEngine> => {
    const hooks = await createHooks({
      host: { name, ...(seen[0] !== undefined && { version: seen[0].version }), can },
      cwd,
      sessionStore: 'file',
      approvals: true,
      settings: { without: leftToHost(name, locationsOf({ cwd })) },
      services: { log: (level, message) => void process.stderr.write(`anyhook: ${level}: ${message}\n`) },
    });
    const here = locationsOf({ cwd });
    const sessionUsage = new SessionUsage();
    const { usage: folder, bridgeCalls } = foldersOf(here);
    let notedSession: string | undefined;
    const read = ({ name: word, ids, scene }: EventInput): Promise<Usage | undefined> | undefined =>
      hooks.wants[word]
        ? sessionUsage.of(
            usageSource,
            { ids: { session: '', ...ids }, scene: { cwd, ...scene } },
            { where: here, folder },
          )
        : undefined;
    return {
      wants: hooks.wants,
      async fire(event) {
        const session = event.ids?.session ?? '';
        if (session !== notedSession) noteBridgeCall(bridgeCalls, { agent: name, session, version });
        notedSession = session;
        const limit = handlerLimitMs === null ? {} : { budgetMs: handlerLimitMs - MARGIN_MS };
        const { usage = await read(event) } = event;
        const input = { ...limit, ...event, ...(usage !== undefined && { usage }) };
        const fired = withProblems(await hooks.fire(input), event.name, hooks.problems);
        const outcome = strict ? strictly(fired, event) : fired;
        noteJudged(name, here, event, outcome);
        return outcome;
      },
      close: hooks.close,
    };
  };
  return (await agent.inside()).open(given, openEngine);
}
