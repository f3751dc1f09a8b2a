// A hook that is a callback in an SDK program: what the CLI waits for, with the published SDK and with ours, which is called
// the same way. Two processes that wake each other are most of it. `npm run bench:peers` installs the SDK.
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { query as ours } from '../../packages/anyhook/dist/surfaces/claude-agent-sdk/index.js';
import { compared, interleaved } from '../measure.mjs';
import { peer } from '../peers.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const sdk = peer('Claude Agent SDK');
const against = `Claude Agent SDK ${sdk?.version ?? 'not here'}`;
const ROWS = [
  { name: 'control protocol: one hook callback', against, target: 0.9, took: 'oneNs' },
  { name: 'control protocol: ten hook callbacks at once', against, target: 0.7, took: 'tenNs' },
];
const ROUNDS = 15;

async function measured() {
  const { query: theirs } = await import(pathToFileURL(join(sdk.folder, 'sdk.mjs')).href);
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
  const list = await interleaved(
    { ours: () => session(ours), theirs: () => session(theirs) },
    { rounds: ROUNDS },
  );
  return ROWS.map(({ took, ...row }) => ({
    ...row,
    ...compared(list.map((round) => ({ ours: round.ours[took], theirs: round.theirs[took] }))),
  }));
}

export default sdk === undefined
  ? { absent: ROWS, bring: 'npm run bench:peers' }
  : { rows: await measured() };
