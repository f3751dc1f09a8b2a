/** Managed settings of administrators apply in real agents without any user settings. Uses a private /etc. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { put } from './guards.ts';
import { CHOSEN } from './packages.ts';
import { runAgent } from './run-agent.ts';

const REASON = 'laid down by whoever keeps this machine';
const LAY_DOWN = `
mkdir "$0/upper" "$0/work"
mount -t overlay overlay -o "lowerdir=/etc,upperdir=$0/upper,workdir=$0/work" /etc
mkdir -p "$0/var-upper" "$0/var-work"
mount -t overlay overlay -o "lowerdir=/var/lib,upperdir=$0/var-upper,workdir=$0/var-work" /var/lib
mkdir -p /etc/anyhook
echo '{ "version": 1 }' > /etc/anyhook/policy.json
cat > /etc/anyhook/hooks.json <<'END'
{ "hooks": { "tool.before": [{ "name": "no-marks", "match": "shell(touch refused*)", "run": "echo '${REASON}' >&2; exit 2" }] } }
END
echo ready
exec sleep 1000
`;

let holder: ChildProcess | undefined;
let place = '';
afterEach(async () => {
  if (holder === undefined) return;
  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  holder = undefined;
  rmdirSync(place);
});

/** Creates a mount namespace for the test. Commands with the returned prefix run in it. */
async function ownEtc(): Promise<readonly string[]> {
  place = mkdtempSync(join(tmpdir(), 'own-etc-'));
  const script = `mount -t tmpfs -o mode=755 tmpfs "$0" && ${LAY_DOWN.trim()}`;
  holder = spawn('unshare', ['-m', '--propagation', 'private', 'sh', '-ec', script, place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout!, 'data');
  return ['nsenter', '-m', '-t', String(holder.pid), '--'];
}

const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-m', 'true'], { env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' } }).status === 0;
const TIERED = CHOSEN.filter((agent) => AGENTS[agent].managed !== null);

test.skipIf(TIERED.length > 0)('no selected agent has managed settings', () => {});

describe.skipIf(!canMount).each(TIERED)('%s', (agent) => {
  const run = async (isInstalled: boolean) => {
    const within = await ownEtc();
    return runAgent(
      agent,
      {
        within,
        script: [{ shell: 'touch refused.txt' }, { shell: 'touch allowed.txt' }, { text: 'done' }],
        async prepare({ home, anyhook }) {
          // A user setting that disables hooks, where the agent has one.
          put(home, '.claude/settings.json', { disableAllHooks: true });
          if (isInstalled) await anyhook(['install', '--managed', agent]);
        },
      },
      ({ has, asked, output }) => ({
        has: [has('refused.txt'), has('allowed.txt')],
        isTold: asked.includes(REASON),
        output,
      }),
    );
  };

  test('an agent enforces managed guards, tells the model why, and continues', async () => {
    const { output, ...seen } = await run(true);
    expect(seen, output).toEqual({ has: [false, true], isTold: true });
  });

  test('control: an agent without managed settings runs the call', async () => {
    const { output, ...seen } = await run(false);
    expect(seen, output).toEqual({ has: [true, true], isTold: false });
  });
});
