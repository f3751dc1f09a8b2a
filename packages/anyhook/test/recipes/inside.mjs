/** An agent that loads our bridge into its own process: `inside.mjs <agent> <file> <project>`, one event per line. */

import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [, , agent, file, project] = process.argv;
const bridge = await import(pathToFileURL(/** @type {string} */ (file)).href);
const { send, close } = await (agent === 'opencode' ? plugin() : extension());

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${JSON.stringify((await send(JSON.parse(line))) ?? null)}\n`);
await close();

/** As OpenCode calls a plugin: what it throws is a refusal, what it leaves in the output is taken. */
async function plugin() {
  const listeners = await bridge.anyhook({ directory: project });
  /** @param {{ word: string, native: any }} sent */
  const send = async ({ word, native: { input, output = {}, event } }) => {
    try {
      await (input === undefined ? listeners.event({ event }) : listeners[word](input, output));
      return { verdict: 'none', text: JSON.stringify(output) };
    } catch (error) {
      return { verdict: 'deny', text: /** @type {Error} */ (error).message };
    }
  };
  return { send, close: () => listeners.dispose() };
}

/** As pi and oh-my-pi call an extension. What waits for the model goes with the next turn. */
async function extension() {
  /** @type {Map<string, (event: object, context: object) => Promise<any>>} */
  const listeners = new Map();
  await bridge.default({ on: listeners.set.bind(listeners) });
  /** @param {{ word: string, native: any, session: string }} sent */
  const send = async ({ word, native, session }) => {
    /** @type {unknown[]} */
    const told = [];
    const context = {
      cwd: project,
      hasUI: true,
      ui: { notify: told.push.bind(told) },
      sessionManager: { getSessionId: () => session },
    };
    if (!listeners.has(word)) return undefined;
    const result = (await listeners.get(word)?.(native, context)) ?? {};
    if (word === 'session_start')
      told.push(await listeners.get('before_agent_start')?.({ type: 'before_agent_start' }, context));
    const isRefused = result.block === true || result.action === 'handled';
    const verdict = isRefused ? 'deny' : result.continue === true ? 'resume' : 'none';
    return { verdict, text: JSON.stringify([result, told]) };
  };
  return { send, close: async () => {} };
}
