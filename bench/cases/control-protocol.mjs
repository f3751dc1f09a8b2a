// A hook that is a callback in an SDK program: what the CLI waits for, with the published SDK and with ours, which is called
// the same way. Two processes that wake each other are most of it. `npm run bench:peers` installs the SDK.
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { query as ours } from '../../packages/anyhook/dist/surfaces/claude-agent-sdk/index.js';
import { median } from '../measure.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SDK = here('../../.cache/bench/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');
const NAME = 'control protocol: ';
const ROUNDS = 15;

async function measured() {
  const { query: theirs } = await import(pathToFileURL(SDK).href);
  /** What one callback, and ten at once, took in one session. */
  const session = async (query) => {
    const options = {
      pathToClaudeCodeExecutable: here('../callback-cli.mjs'),
      executable: 'node',
      cwd: '/',
      env: { PATH: process.env.PATH, HOME: '/nowhere' },
      hooks: { PreToolUse: [{ hooks: Array.from({ length: 10 }, () => async () => ({})) }] },
    };
    let said;
    for await (const message of query({ prompt: 'go', options }))
      if (message.type === 'result') said = JSON.parse(message.result);
    return said;
  };
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const both = { ours: () => session(ours), theirs: () => session(theirs) };
    const order = round % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours'];
    const took = {};
    for (const who of order) took[who] = await both[who]();
    rounds.push(took);
  }
  const row = (name, what, target) => ({
    name: `${NAME}${name}`,
    against: "the published SDK's",
    target,
    oursNs: median(rounds.map((took) => took.ours[what])),
    theirsNs: median(rounds.map((took) => took.theirs[what])),
    ratio: median(rounds.map((took) => took.ours[what] / took.theirs[what])),
  });
  return {
    ...row('one hook callback', 'oneNs', 0.9),
    also: [row('ten hook callbacks at once', 'tenNs', 0.7)],
  };
}

export default existsSync(SDK) ? await measured() : { absent: NAME };
