/** The managed folder at its real path, which the test replaces in a mount namespace. */

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { removeTree } from '../src/settings/remove-tree.ts';

const CLI = fileURLToPath(new URL('../dist/bin/anyhook.cjs', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-managed-')));
afterAll(() => removeTree(root));
chmodSync(root, 0o755);
const organisation = join(root, 'anyhook');
for (const folder of ['anyhook', 'home', 'project']) mkdirSync(join(root, folder));
const put = (file: string, value: unknown) => writeFileSync(join(organisation, file), JSON.stringify(value));
put('hooks.json', {
  hooks: { 'tool.before': [{ name: 'no-push', match: 'shell(git push*)', run: 'echo never >&2; exit 2' }] },
});
put('policy.json', { version: 4 });

/** /etc with one folder more, for this command and what it starts alone. */
function inNamespace(line: string) {
  const etc = join(root, 'etc');
  const script = `mkdir -p '${etc}' && mount -t tmpfs none '${etc}' && cp -a /etc/. '${etc}' && cp -a '${organisation}' '${etc}/anyhook' \
    && mount --bind '${etc}' /etc && cd '${join(root, 'project')}' && ${line}`;
  return spawnSync('unshare', ['-m', 'sh', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: join(root, 'home') },
    timeout: 60_000,
  });
}
const anyhook = `'${process.execPath}' '${CLI}'`;
const fire = `echo '{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"git push"}}' | ${anyhook} fire --as claude-code`;
const isPossible = process.getuid?.() === 0 && inNamespace('true').status === 0;

describe.skipIf(!isPossible)('with /etc/anyhook on the machine (needs root and mount namespaces)', () => {
  test('every event of an agent reaches managed hooks, and `list` names their owner', () => {
    const { status, stdout } = inNamespace(`${fire}; echo "exit $?"; ${anyhook} list`);
    expect(status).toBe(0);
    expect(stdout).toContain('"permissionDecision":"deny","permissionDecisionReason":"never"');
    expect(stdout).toContain("exit 2\nYour organisation's policy, version 4 (/etc/anyhook/policy.json)");
    expect(stdout).toContain('/etc/anyhook/hooks.json  anyhook, managed');
  });

  test('a cached "no hooks" result is not used after managed hooks appear', () => {
    spawnSync('sh', ['-c', fire], {
      cwd: join(root, 'project'),
      env: { PATH: process.env['PATH'], HOME: join(root, 'home') },
    });
    expect(inNamespace(`${fire}; echo "exit $?"`).stdout).toMatch(/exit 2\n$/);
  });
});
