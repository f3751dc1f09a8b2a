/**
 * The corpus of `test/corpus/trust`: whatever a command runs, a change of it after trust runs as it was, waits again, or
 * was said beforehand to be out of sight. There is no third case.
 */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { judgeTrust, type TrustJudgement } from '../../../src/settings/trust/gate.ts';
import { projectWith, scratch } from '../../../src/settings/trust/fixtures/scratch.ts';
import type { Project } from '../../../src/settings/trust/project.ts';
import { recordOf } from '../../../src/settings/trust/record.ts';
import { stage } from '../../../src/settings/trust/stage.ts';
import { openTrustStore, type TrustStore } from '../../../src/settings/trust/store.ts';
import { corpus } from '../../corpus/read-corpus.ts';
import { figure } from '../figures.ts';

/** Files say OLD until they are changed; `*` behind a name: executable. */
interface Form {
  readonly run: string;
  readonly files: Readonly<Record<string, string>>;
  /** Files that appear after trust, and say NEW. */
  readonly adds?: Readonly<Record<string, string>>;
  readonly shell?: string;
  /** Programs beside those of every Linux, Node and Python; without them the form is judged and not run. */
  readonly needs?: readonly string[];
  /** Cannot be run everywhere: judged only. */
  readonly works?: false;
}

const has = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
const isRunnable = ({ needs = [], works }: Form): boolean => works !== false && needs.every(has);

class Trial {
  readonly project: Project;
  readonly store: TrustStore = openTrustStore(`${scratch()}/trust`);
  readonly copies = scratch();
  readonly form: Form;
  constructor(form: Form) {
    this.form = form;
    this.project = projectWith(form.files);
  }
  judge(): TrustJudgement {
    const { run: line, shell = 'sh' } = this.form;
    const entry = {
      file: `${this.project.root}/.anyhook/hooks.json`,
      fields: { dialect: 'anyhook', on: 'tool.before', run: { line, shell } },
      named: { kind: 'command', run: { line, shell }, cwd: this.project.root },
    } as const;
    const vars = { HOME: '/nonexistent', PWD: this.project.root, PATH: process.env['PATH'] ?? '' };
    return judgeTrust(entry, this.project, this.store, { isTerminal: true, vars });
  }
  trust({ trustedFiles }: TrustJudgement): void {
    this.store.add(recordOf(trustedFiles, new Date()));
  }
  /** How it runs from the copy, decided now and run later. */
  staged({ trustedFiles, hash }: TrustJudgement): () => string {
    const result = stage(trustedFiles, hash, this.copies);
    if (result.kind === 'unstaged') throw new Error(result.why);
    const run = result.run;
    return () => this.output(run !== undefined && 'line' in run ? run.line : '');
  }
  /** As it stands in the project. */
  inPlace(): string {
    return this.output(this.form.run);
  }
  change(): void {
    const changed = Object.entries(this.form.files).map(([name, text]) => [
      name,
      text.replaceAll('OLD', 'NEW'),
    ]);
    projectWith(
      { ...(Object.fromEntries(changed) as Record<string, string>), ...this.form.adds },
      this.project.root,
    );
  }
  private output(line: string): string {
    const { shell = 'sh' } = this.form;
    const env = {
      PATH: process.env['PATH'],
      PWD: this.project.root,
      HOME: '/nonexistent',
      PYTHONDONTWRITEBYTECODE: '1',
      npm_config_cache: this.copies,
    };
    const done = spawnSync(shell, ['-c', line], {
      cwd: this.project.root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    return `${done.stdout}${done.stderr}`;
  }
}

/** A file that appears later may make the command fail; it must not run. */
const isOld =
  ({ adds }: Form) =>
  (printed: string): boolean =>
    !printed.includes('NEW') && (adds !== undefined || printed.includes('OLD'));
const told = corpus<Form>('trust/told.jsonl');
const said = corpus<Form>('trust/said.jsonl');

describe('a command whose files can be told', () => {
  const runnable = told.filter(isRunnable);

  test.each(told.map((form, at) => [at + 1, form.run, form] as const))('%i: %s', (_, __, form) => {
    const trial = new Trial(form);
    const judgement = trial.judge();
    expect([judgement.trustedFiles.doubts, judgement.trustedFiles.obstacles]).toEqual([[], []]);
    if (!isRunnable(form)) return;
    expect(trial.inPlace()).toContain('OLD');
    trial.trust(judgement);
    const run = trial.staged(judgement);
    trial.change();
    // The control: in the project it is the changed code that runs.
    expect(trial.inPlace()).toContain('NEW');
    // Judged before the change and started after it, as in the narrowest race.
    expect(run()).toSatisfy(isOld(form), `the changed code, of ${form.run}`);
    const again = trial.judge();
    if (again.state === 'trusted') expect(trial.staged(again)()).toSatisfy(isOld(form));
  });

  test('is most of what people write', () => {
    figure('trust', 'forms bound and run from the private copy', runnable.length, told.length);
    expect(runnable.length).toBeGreaterThanOrEqual(116);
  });
});

describe('a command whose files cannot be told', () => {
  test.each(said.map((form, at) => [at + 1, form.run, form] as const))('%i: %s', (_, __, form) => {
    const trial = new Trial(form);
    const { trustedFiles } = trial.judge();
    expect(trustedFiles.doubts).not.toEqual([]);
    if (isRunnable(form)) expect(trial.inPlace()).toContain('OLD');
  });

  test('says so when it asks', () => {
    figure('trust', 'forms of which trust says that it cannot tell', said.length, said.length);
  });
});
