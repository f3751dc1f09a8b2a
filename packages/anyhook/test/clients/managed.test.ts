/**
 * What the machine's owner lays down holds in the real agents, by each one's own managed settings and nothing of the user's: in a
 * /etc of its own, laid over the real one.
 */
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

/** A mount namespace that lives as long as the test; what is run with these words before it is run in there. */
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

test.skipIf(TIERED.length > 0)('none of these agents has settings of the machine’s owner', () => {});

describe.skipIf(!canMount).each(TIERED)('%s', (agent) => {
  const run = async (isInstalled: boolean) => {
    const within = await ownEtc();
    return runAgent(
      agent,
      {
        within,
        script: [{ shell: 'touch refused.txt' }, { shell: 'touch allowed.txt' }, { text: 'done' }],
        async prepare({ home, anyhook }) {
          // What a user would write to be rid of hooks, where the agent knows such a word.
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

  test('obeys what was laid down, tells the model why, and goes on', async () => {
    const { output, ...seen } = await run(true);
    expect(seen, output).toEqual({ has: [false, true], isTold: true });
  });

  test('without the managed settings it does not, as a control', async () => {
    const { output, ...seen } = await run(false);
    expect(seen, output).toEqual({ has: [true, true], isTold: false });
  });
});
