import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { command, cover, projectWith, runStaged, scratch, staged } from './fixtures/scratch.ts';
import { judgeTrust } from './gate.ts';
import { openProject, type Project } from './project.ts';
import { recordOf } from './record.ts';
import { openTrustStore } from './store.ts';

/** `ANYHOOK_RACE_RUNS=2000` for the full figure. */
const RUNS = Number(process.env['ANYHOOK_RACE_RUNS'] ?? 200);
const LINE = './hooks/g.sh';
const GOOD = {
  'hooks/g.sh*': '#!/bin/sh\n. "$(dirname "$0")/lib.sh"\nsay good\n',
  'hooks/lib.sh': 'say() { echo "$1"; }\n',
};

async function swapped(project: Project): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/swap.mjs'), project.root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/**
 * Trusts the good content in each of its forms (a file, or a link to one), then races against the swapping
 * process.
 */
async function race(
  until: 'all' | 'wrong',
  run: (judged: ReturnType<typeof judgeTrust>, project: Project) => string,
): Promise<{ verified: number; wrong: number }> {
  const project = projectWith(GOOD);
  const store = openTrustStore(join(scratch(), 'trust'));
  store.add(recordOf(cover(project, LINE), new Date()));
  await swapped(project);
  let [verified, wrong, tries] = [0, 0, 0];
  for (; verified < RUNS && tries < RUNS * 500 && !(until === 'wrong' && wrong > 0); tries++) {
    const judged = judgeTrust(command(project, LINE), openProject(project.root), store, {
      isTerminal: false,
    });
    if (judged.state !== 'trusted') continue;
    verified++;
    if (run(judged, project).includes('evil')) wrong++;
  }
  return { verified, wrong };
}

test(`of ${RUNS} verified runs against a process that swaps file, link and folder, none runs other bytes`, async () => {
  const copies = scratch();
  const result = await race('all', ({ trustedFiles: judged }) => {
    const done = runStaged(judged, staged(judged, copies));
    return done.stdout === 'good\n' ? 'good' : `evil or broken: ${JSON.stringify(done)}`;
  });
  expect(result).toEqual({ verified: RUNS, wrong: 0 });
}, 600_000);

test('negative control: hashing and then running by path runs other bytes', async () => {
  const result = await race(
    'wrong',
    (_, project) => spawnSync('sh', ['-c', LINE], { cwd: project.root, encoding: 'utf8' }).stdout,
  );
  expect(result.wrong).toBeGreaterThan(0);
}, 600_000);
