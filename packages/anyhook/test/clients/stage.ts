/** Creates a private home, a project and a scripted model, and removes them after the test. */

import { existsSync, mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { Outside } from './outside.ts';
import { ScriptedModel, type Step } from './scripted-model.ts';

export interface Stage {
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: ScriptedModel;
  /** Whether this file is in the project. */
  has(name: string): boolean;
  /** All requests to the model as text. */
  told(): string;
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The model requests one shell command with a visible effect, and then is done. */
export const TOUCH: readonly Step[] = [
  { tool: 'Bash', input: { command: 'touch ran.txt', description: 'leaves a mark' } },
];

export async function stage(script: readonly Step[] = TOUCH): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'client-')));
  const [home, project, temp] = ['home', 'project', 'tmp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, temp]) mkdirSync(folder);
  const [model, outside] = [new ScriptedModel(script), new Outside()];
  const [url, proxy] = [await model.open(), await outside.open()];
  closing.push(() => {
    model.close();
    outside.close();
    removeTree(root);
    expect(outside.reached).toEqual([]);
  });
  return {
    project,
    model,
    env: { ...quiet(url), ...proxy, HOME: home, TMPDIR: temp },
    has: (name) => existsSync(join(project, name)),
    told: () => JSON.stringify(model.asked),
  };
}

/** Dummy keys, no telemetry, no updates. */
const quiet = (url: string): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  TERM: 'dumb',
  LANG: 'C.UTF-8',
  IS_SANDBOX: '1', // Allows running as root, which the agent refuses by default.
  ANTHROPIC_API_KEY: 'sk-dummy',
  ANTHROPIC_BASE_URL: url,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
});
