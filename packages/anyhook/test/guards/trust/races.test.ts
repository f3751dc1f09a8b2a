/** Reliability G11 over every form of code that is bound: whatever is swapped, and whenever, what was trusted runs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { corpus } from '../../corpus/read-corpus.ts';
import { figure } from '../figures.ts';
import { type Form, isRunnable, Trial } from './trial.ts';

/** `ANYHOOK_RACE_RUNS` for a shorter look. */
const RUNS = Number(process.env['ANYHOOK_RACE_RUNS'] ?? 2000);
const TRIES = 400;
const SWAP = fileURLToPath(new URL('swap.mjs', import.meta.url));
const forms = corpus<Form>('trust/told.jsonl').filter((form) => form.adds === undefined && isRunnable(form));

/** Node and Python take long to start: most of the runs are of what is quick. */
const SLOW_RUNS = 4;
const isSlow = ({ run }: Form): boolean => /node|python|npm/.test(run);

interface Swapper {
  turnTo(trial: Trial): Promise<void>;
  /** Before the projects are put away. */
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

/** Runs of a form whose content was found to be the trusted one a moment before, and how many ran something else. */
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

test(`of ${RUNS} runs while another process swaps what is run, none runs anything but what was trusted`, async () => {
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

test('run where it lies, what was found to be trusted is something else a moment later: the race is real', async () => {
  const swaps = swapper();
  let wrong = 0;
  for (let round = 0; round < 20 && wrong === 0; round++)
    wrong += (await race(forms[0]!, 20, swaps, 'inPlace')).wrong;
  await swaps.end();
  expect(wrong).toBeGreaterThan(0);
});
