// What hooks add to a tool call in the real Claude Code: from the model's reply to the agent's next request, as a model on
// loopback sees it. `npm run bench:peers` brings the program.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS, removeTree } from '../../packages/anyhook/dist/internals.js';
import { startModelServer } from '../../packages/anyhook/dist/testing/index.js';
import { bridgeWorld } from '../bridge-world.mjs';
import { median, valued } from '../measure.mjs';
import { peer } from '../peers.mjs';

const ROUNDS = 7;
/** Of each session; the first ones are not counted: its modules are being loaded meanwhile. */
const [CALLS, UNCOUNTED] = [37, 12];

const claude = peer('Claude Code');
const program = claude === undefined ? '' : join(claude.folder, 'claude');
const NAME = 'in Claude Code, added to a tool call: ';
const against =
  `two native hooks, \`true\` before and after the call, in Claude Code ${claude?.version ?? ''}`.trim();
const OURS = {
  'our bridge without hooks': 'none',
  'our bridge, one command hook': 'shell',
  'our bridge, one TypeScript module': 'module',
};
const [EVERYWHERE, AT_ONCE] = [
  '`true` at every event of our bridge',
  "our bridge's line alone, answered at once",
];
const ROWS = Object.entries(OURS).map(([name, hook]) => ({
  name: NAME + name,
  against,
  ...(hook === 'module' && { target: 1.5 }),
}));

/** One session in that home: milliseconds of every counted call. */
async function session({ home, project }) {
  const arrivals = [];
  const file = join(project, 'read.txt');
  writeFileSync(file, 'a line\n');
  const call = { tool: 'Read', args: { file_path: file } };
  const model = await startModelServer({
    script: [...Array.from({ length: CALLS }, () => call), { text: 'done' }],
    cwd: project,
    onRequest: ({ turn }) => {
      if (turn !== undefined && !('side' in turn)) arrivals.push(performance.now());
    },
  });
  const { args, env } = await AGENTS['claude-code'].headless();
  const child = spawn(program, args('Please do the task.', model.url), {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: home, TERM: 'dumb', ...env(model.url) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  await new Promise((resolve) => child.on('close', resolve));
  await model.close();
  if (arrivals.length !== CALLS + 1) throw new Error(`${arrivals.length} turns of ${CALLS + 1}: ${said}`);
  return arrivals
    .slice(1)
    .map((at, i) => at - arrivals[i])
    .slice(UNCOUNTED);
}

function nativeWorld(hooks) {
  const root = mkdtempSync(join(tmpdir(), 'ahb-'));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(join(home, '.claude'), { recursive: true });
  mkdirSync(project);
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify({ hooks }));
  return { home, project, close: () => removeTree(root) };
}
const TRUE = [{ matcher: '*', hooks: [{ type: 'command', command: 'true' }] }];

async function measured() {
  const bridges = Object.fromEntries(
    Object.entries(OURS).map(([name, hook]) => [name, bridgeWorld({ hook, match: 'read' })]),
  );
  const settings = JSON.parse(
    readFileSync(join(bridges['our bridge without hooks'].home, '.claude/settings.json')),
  );
  const alone = bridgeWorld({ hook: 'none' });
  const endAnswers = await alone.answeredAtOnce();
  const worlds = {
    none: nativeWorld({}),
    native: nativeWorld({ PreToolUse: TRUE, PostToolUse: TRUE }),
    [AT_ONCE]: alone,
    [EVERYWHERE]: nativeWorld(Object.fromEntries(Object.keys(settings.hooks).map((event) => [event, TRUE]))),
    ...bridges,
  };
  const names = Object.keys(worlds);
  const ms = Object.fromEntries(names.map((name) => [name, []]));
  // The first round starts the daemons, and is not counted.
  for (let round = -1; round < ROUNDS; round++)
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + names.length) % names.length];
      const took = await session(worlds[name]);
      if (round >= 0) ms[name].push(median(took));
    }
  endAnswers();
  for (const world of Object.values(worlds)) world.close();
  const added = (name) => ms[name].map((took, round) => took - ms.none[round]);
  const native = median(added('native'));
  const row = (about, name) => {
    const { value: ratio, ...spread } = valued(added(name).map((more) => more / native));
    return { ...about, oursNs: median(added(name)) * 1e6, theirsNs: native * 1e6, ratio, ...spread };
  };
  return [
    ...ROWS.map((about) => row(about, about.name.slice(NAME.length))),
    ...[AT_ONCE, EVERYWHERE].map((name) => row({ name: NAME + name, against }, name)),
  ];
}

export default existsSync(program)
  ? { rows: await measured() }
  : { absent: ROWS, bring: 'npm run bench:peers' };
