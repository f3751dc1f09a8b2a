/** File modes and owners that restrict trust, tested as a user other than root. */

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { PERSON, World, type Ended } from '../../trust/world.ts';

/** `nobody`, who exists on every system. */
const USER = 65_534;
const isRoot = process.getuid?.() === 0;
const DROP = ['setpriv', `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'];
const canDrop = isRoot && spawnSync(DROP[0]!, [...DROP.slice(1), process.execPath, '-v']).status === 0;
const through = canDrop ? DROP : [];
const why = 'root may do everything, and there is no setpriv to become somebody else';

class PlainWorld extends World {
  give(): void {
    if (!canDrop) return;
    chmodSync(dirname(this.home), 0o755);
    for (const base of [this.home, this.project]) {
      chownSync(base, USER, USER);
      for (const name of readdirSync(base, { recursive: true, encoding: 'utf8' }))
        chownSync(join(base, name), USER, USER);
    }
  }
  plain(args: readonly string[], input = ''): Promise<Ended> {
    return this.run(args, input, through);
  }
  person(args: readonly string[]): Promise<Ended> {
    return this.run(args, '', [...through, PERSON]);
  }
  async fires(): Promise<{ verdict: string; failed: (string | undefined)[] }> {
    const event = JSON.stringify({ tool: 'shell', input: { command: 'ls' } });
    const { stdout } = await this.plain(['fire', '--as', 'anyhook', 'tool.before', '--json'], event);
    const { verdict, runs } = JSON.parse(stdout) as {
      verdict: string;
      runs: { failure?: { kind: string } }[];
    };
    return { verdict, failed: runs.map(({ failure }) => failure?.kind).filter((kind) => kind !== undefined) };
  }
  async hashes(): Promise<string[]> {
    const { stdout } = await this.plain(['trust', 'list', '--json']);
    return (JSON.parse(stdout) as { project: { hash: string }[] }).project.map(({ hash }) => hash);
  }
}

const guarded = (): PlainWorld => {
  const world = new PlainWorld();
  world.put('.anyhook/hooks.json', '{ "hooks": { "tool.before": [{ "run": "./guard.sh" }] } }');
  world.put('guard.sh', '#!/bin/sh\necho no >&2\nexit 2\n');
  world.give();
  return world;
};

describe.skipIf(isRoot && !canDrop)(`a user who is not root (otherwise skipped: ${why})`, () => {
  test('control: a regular user can trust a hook and is guarded', async () => {
    const world = guarded();
    expect((await world.fires()).verdict).toBe('none');
    await world.person(['trust', 'add', ...(await world.hashes())]);
    expect((await world.fires()).verdict).toBe('deny');
  });

  test('trust in world-writable settings is ignored, and the hook waits for trust with a notice', async () => {
    const world = guarded();
    const [hash] = await world.hashes();
    world.put('.config/anyhook/hooks.json', JSON.stringify({ trusted: [hash] }), world.home);
    world.give();
    const file = join(world.home, '.config/anyhook/hooks.json');
    chmodSync(file, 0o664);
    expect((await world.fires()).verdict).toBe('deny'); // Control: the user owns the file, and it is trusted.
    chmodSync(file, 0o666);
    expect((await world.fires()).verdict).toBe('ask'); // The hook does not run, and it was trusted before.
    const { stdout } = await world.plain(['list', '--json']);
    const { problems } = JSON.parse(stdout) as { problems: { key?: string; message: string }[] };
    expect(problems.find(({ key }) => key === 'trusted')?.message).toMatch(/every user can write to it/);
  });

  test('unreadable settings of the user refuse calls instead of leaving them unguarded', async () => {
    const world = guarded();
    world.put('.config/anyhook/hooks.json', '{ "hooks": {} }', world.home);
    world.give();
    chmodSync(join(world.home, '.config/anyhook/hooks.json'), 0o000);
    expect((await world.fires()).verdict).toBe('deny');
  });

  test('a user who cannot write the trust store is told and trusts nothing', async () => {
    const world = guarded();
    mkdirSync(join(world.home, '.local/share/anyhook/trust'), { recursive: true });
    world.give();
    chmodSync(join(world.home, '.local/share/anyhook/trust'), 0o500);
    const { status, stdout } = await world.person(['trust', 'add', ...(await world.hashes())]);
    expect([status, stdout]).toEqual([1, expect.stringContaining('cannot write the trust record') as string]);
    expect((await world.fires()).verdict).toBe('none');
  });

  test('trust that others can write or that belongs to another user is ignored', async () => {
    const world = guarded();
    await world.person(['trust', 'add', ...(await world.hashes())]);
    const store = join(world.home, '.local/share/anyhook/trust');
    const record = join(
      store,
      readdirSync(store).find((name) => name.endsWith('.json'))!,
    );
    chmodSync(record, 0o666);
    expect((await world.fires()).verdict).not.toBe('deny');
    chmodSync(record, 0o600);
    expect((await world.fires()).verdict).toBe('deny');
    if (!canDrop) return;
    chmodSync(record, 0o644);
    chownSync(record, 0, 0);
    expect((await world.fires()).verdict).not.toBe('deny');
  });

  test('a guard without a private copy refuses instead of running from the project', async () => {
    const world = guarded();
    await world.person(['trust', 'add', ...(await world.hashes())]);
    const state = join(world.home, '.local/state/anyhook');
    mkdirSync(state, { recursive: true });
    world.give();
    writeFileSync(join(world.project, 'guard.sh'), '#!/bin/sh\necho no >&2\nexit 2\n');
    for (const name of readdirSync(state)) chmodSync(join(state, name), 0o500);
    chmodSync(state, 0o500);
    expect((await world.fires()).verdict).toBe('deny');
  });

  test('a script that cannot be read cannot be trusted', async () => {
    const world = guarded();
    chmodSync(join(world.project, 'guard.sh'), 0o100);
    const { stdout } = await world.plain(['trust', 'list', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ project: [{ state: 'untrustable' }] });
  });
});
