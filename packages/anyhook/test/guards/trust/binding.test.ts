/**
 * Runs the corpus `test/corpus/trust`: after a change of anything a command runs, the old bytes run, the hook waits
 * for trust again, or the trust screen warned that the file cannot be determined.
 */

import { afterAll, describe, expect, test } from 'vitest';
import { corpus } from '../../corpus/read-corpus.ts';
import { figure, measure } from '../figures.ts';
import { type Form, isRunnable, Trial } from './trial.ts';

/** A file that appears later may make the command fail, but must not run. */
const isOld =
  ({ adds }: Form) =>
  (printed: string): boolean =>
    !printed.includes('NEW') && (adds !== undefined || printed.includes('OLD'));
/** Forms that passed. */
const held = new Set<Form>();
const told = corpus<Form>('trust/told.jsonl');
const said = corpus<Form>('trust/said.jsonl');

describe('a command whose files are known', () => {
  const runnable = told.filter(isRunnable);

  test.each(told.map((form, at) => [at + 1, form.run, form] as const))('%i: %s', (_, __, form) => {
    const trial = new Trial(form);
    const judgement = trial.judge();
    expect([judgement.trustedFiles.doubts, judgement.trustedFiles.obstacles]).toEqual([[], []]);
    if (!isRunnable(form)) return void held.add(form);
    expect(trial.inPlace()).toContain('OLD');
    trial.trust(judgement);
    const run = trial.staged(judgement);
    trial.change();
    // Control: in the project the changed code runs.
    expect(trial.inPlace()).toContain('NEW');
    // Judged before the change and started after it, as in the shortest race.
    expect(run()).toSatisfy(isOld(form), `the changed code, of ${form.run}`);
    const again = trial.judge();
    if (again.state === 'trusted') expect(trial.staged(again)()).toSatisfy(isOld(form));
    held.add(form);
  });

  test('is most of what people write', () => {
    measure(
      'trust',
      'forms run here',
      `${runnable.length + said.filter(isRunnable).length} of ${told.length + said.length}`,
    );
    expect(runnable.length).toBeGreaterThanOrEqual(116);
  });
});

describe('a command whose files are not all known', () => {
  test.each(said.map((form, at) => [at + 1, form.run, form] as const))('%i: %s', (_, __, form) => {
    const trial = new Trial(form);
    const { trustedFiles } = trial.judge();
    expect(trustedFiles.doubts).not.toEqual([]);
    if (isRunnable(form)) expect(trial.inPlace()).toContain('OLD');
    held.add(form);
  });
});

afterAll(() =>
  figure('trust', 'forms bound, or said to be out of sight', held.size, told.length + said.length),
);
