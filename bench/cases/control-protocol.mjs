// A hook that is a callback in an SDK program: what the CLI waits for, with the published SDK and with ours, which is called
// the same way, each in a process of its own. Two processes that wake each other are most of it. `npm run bench:peers`
// installs the SDK.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compared, interleaved } from '../measure.mjs';
import { peer } from '../peers.mjs';

const here = (path) => new URL(path, import.meta.url);
const OURS = here('../../packages/anyhook/dist/agents/claude-agent-sdk/api/index.js').href;
const sdk = peer('Claude Agent SDK');
const against = `Claude Agent SDK ${sdk?.version ?? 'not here'}`;
const ROWS = [
  { name: 'control protocol: one hook callback', against, target: 0.9, took: 'oneNs' },
  { name: 'control protocol: ten hook callbacks at once', against, target: 0.7, took: 'tenNs' },
];
const ROUNDS = 21;

/** What one callback, and ten at once, took in one session. */
function session(url) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(here('../callback-host.mjs')), url],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

async function measured() {
  const theirs = pathToFileURL(join(sdk.folder, 'sdk.mjs')).href;
  const list = await interleaved(
    { ours: () => session(OURS), theirs: () => session(theirs) },
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
