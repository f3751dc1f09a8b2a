/** Runs one form of `test/corpus/trust` in its own project. */

import { spawnSync } from 'node:child_process';
import { projectWith, scratch } from '../../../src/settings/trust/fixtures/scratch.ts';
import { judgeTrust, type TrustJudgement } from '../../../src/settings/trust/gate.ts';
import type { Project } from '../../../src/settings/trust/project.ts';
import { recordOf } from '../../../src/settings/trust/record.ts';
import { stage } from '../../../src/settings/trust/stage.ts';
import { openTrustStore, type TrustStore } from '../../../src/settings/trust/store.ts';

/** Files print OLD until they are changed; `*` after a name means executable. */
export interface Form {
  readonly run: string;
  readonly files: Readonly<Record<string, string>>;
  /** Files that appear after trust and print NEW. */
  readonly adds?: Readonly<Record<string, string>>;
  readonly shell?: string;
  /** Required programs besides Linux tools, Node and Python. If one is missing, the form is judged but not run. */
  readonly needs?: readonly string[];
  /** The form cannot run everywhere and is only judged. */
  readonly works?: false;
}

const has = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
export const isRunnable = ({ needs = [], works }: Form): boolean => works !== false && needs.every(has);

export class Trial {
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
  /** Prepares a run from the copy that can be started later. */
  staged({ trustedFiles, hash }: TrustJudgement): () => string {
    const result = stage(trustedFiles, hash, this.copies);
    if (result.kind === 'unstaged') throw new Error(result.why);
    const run = result.run;
    return () => this.output(run !== undefined && 'line' in run ? run.line : '');
  }
  /** Runs the command in the project. */
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
