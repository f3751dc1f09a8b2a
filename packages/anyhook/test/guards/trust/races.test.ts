/** Reliability G11 for every form of pinned code: the trusted bytes run, whatever is swapped and when. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { corpus } from '../../corpus/read-corpus.ts';
import { figure } from '../figures.ts';
import { type Form, isRunnable, Trial } from './trial.ts';

/** `ANYHOOK_RACE_RUNS` shortens the test. */
const RUNS = Number(process.env['ANYHOOK_RACE_RUNS'] ?? 2000);
const TRIES = 400;
const SWAP = fileURLToPath(new URL('swap.mjs', import.meta.url));
const forms = corpus<Form>('trust/told.jsonl').filter((form) => form.adds === undefined && isRunnable(form));

/** Node and Python start slowly, so most runs use fast programs. */
const SLOW_RUNS = 4;
const isSlow = ({ run }: Form): boolean => /node|python|npm/.test(run);

interface Swapper {
  turnTo(trial: Trial): Promise<void>;
  /** Stops before the projects are removed. */
  end(): Promise<void>;
}
function swapper(): Swapper {
  const child = spawn(process.execPath, [SWAP], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    async turnTo({ project, form }) {
      child.stdin.write(`${JSON.stringify({ root: project.root, files: Object.entries(form.files) })}\n`);
      await once(child.stdout, 'data');
    },
    async end() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** Counts runs of other code among runs whose content was just verified. */
async function race(form: Form, runs: number, swaps: Swapper, how: 'staged' | 'inPlace') {
  const trial = new Trial(form);
  trial.trust(trial.judge());
  await swaps.turnTo(trial);
  let [verified, wrong] = [0, 0];
  for (let tries = 0; verified < runs && tries < runs * TRIES; tries++) {
    const judgement = trial.judge();
    if (judgement.state !== 'trusted') continue;
    verified++;
    const printed = how === 'staged' ? trial.staged(judgement)() : trial.inPlace();
    if (!printed.includes('OLD') || printed.includes('NEW')) wrong++;
  }
  return { verified, wrong };
}

test(`of ${RUNS} runs during swaps by another process none runs untrusted code`, async () => {
  const swaps = swapper();
  let [verified, wrong] = [0, 0];
  const lost: string[] = [];
  const ordered = [...forms.filter(isSlow), ...forms.filter((form) => !isSlow(form))];
  for (const [at, form] of ordered.entries()) {
    const share = Math.ceil((RUNS - verified) / (ordered.length - at));
    const raced = await race(form, isSlow(form) ? Math.min(share, SLOW_RUNS) : share, swaps, 'staged');
    verified += raced.verified;
    wrong += raced.wrong;
    if (raced.wrong > 0) lost.push(form.run);
  }
  await swaps.end();
  figure('trust', 'races that ran something else', wrong, verified);
  expect({ lost, verified }).toEqual({ lost: [], verified: RUNS });
});

test('control: code in the project may change right after its check, so the race is real', async () => {
  const swaps = swapper();
  let wrong = 0;
  for (let round = 0; round < 20 && wrong === 0; round++)
    wrong += (await race(forms[0]!, 20, swaps, 'inPlace')).wrong;
  await swaps.end();
  expect(wrong).toBeGreaterThan(0);
});
