import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVERYTHING } from '../events/capabilities.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';

const folder = mkdtempSync(join(tmpdir(), 'anyhook-undo-guard-'));
const [home, project] = [join(folder, 'home'), join(folder, 'project')];
let hooks: Hooks;
beforeAll(async () => {
  mkdirSync(home);
  mkdirSync(project);
  hooks = await createHooks({
    host: { name: 'codex', can: EVERYTHING },
    home,
    cwd: project,
    env: {},
    undo: true,
  });
});
afterAll(async () => {
  await hooks.close();
  rmSync(folder, { recursive: true, force: true });
});
const verdictOn = async (command: string): Promise<string> =>
  (
    await hooks.fire({
      name: 'tool.before',
      payload: { tool: 'shell', input: { command } },
      ids: { session: 's' },
    })
  ).proceed;

describe('an agent', () => {
  test.each([
    'anyhook undo',
    'anyhook undo --yes',
    'anyhook undo --prune --all',
    'anyhook undo --prune --all --list',
    'anyhook undo --yes --call --list',
    'anyhook undo --yes --cwd --dry-run',
    'anyhook undo --yes src -- --list',
    'npx anyhook undo --yes -- --dry-run',
    'echo "anyhook undo --yes" > x.sh; sh x.sh; anyhook undo --yes; anyhook undo --list',
    'npx anyhook undo --session --yes',
    'sh -c "anyhook undo --call x"',
    "script -qc 'anyhook undo --yes' /dev/null",
    'anyhook add undo',
    'anyhook remove undo',
    'rm -rf ~/.local/state/anyhook/undo',
    'echo x > $HOME/.local/state/anyhook/undo/off',
    'cp evil ~/.local/state/anyhook/undo/x/calls/1.json',
  ])('may not run: %s', async (command) => {
    expect(await verdictOn(command.replace('~', home).replace('$HOME', home))).not.toBe('yes');
  });

  test.each([
    'anyhook undo --list',
    'anyhook undo --call x --dry-run src',
    'npx -- anyhook undo --list',
    'anyhook undo --dry-run --json',
    'git log --grep undo',
    'echo undo',
  ])('may run: %s', async (command) => {
    expect(await verdictOn(command)).toBe('yes');
  });
});
