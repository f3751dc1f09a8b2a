/**
 * What a user types into the real agent in a terminal: whether a guard sees a `!` line, and the call that a `/`
 * command causes. (The latter only if no headless run can show it.)
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { startModelServer } from '../../src/testing/model-server/index.ts';
import { hasTmux, openTerminal } from '../terminal/tmux.ts';
import { programOf, settle } from './agents.ts';
import { endDaemon } from './daemon-in.ts';
import { put } from './guards.ts';
import { PACKAGE } from './package-under-test.ts';
import { CHOSEN, headlessOf } from './packages.ts';
import { PATH } from './run-agent.ts';
import { seal } from './sealed.ts';

interface InTerminal {
  /** Removes the arguments for a headless run. */
  readonly words: (words: readonly string[]) => readonly string[];
  /** Questions at startup, and the keys that answer them. */
  readonly asks?: readonly (readonly [RegExp, string])[];
  readonly ready: RegExp;
  readonly files?: (project: string) => Readonly<Record<string, object>>;
  /** A built-in command that makes the model act. */
  readonly slash?: string;
}
const without =
  (...gone: readonly string[]) =>
  (words: readonly string[]) =>
    words.filter((word) => word !== PROMPT && !gone.includes(word));
const PROMPT = 'in a terminal';
/** Timeout for each step. Some agents need half a minute to start on a busy machine. */
const LONGEST_MS = 90_000;
const IN_TERMINAL: Readonly<Partial<Record<AgentName, InTerminal>>> = {
  'claude-code': {
    words: without('-p'),
    ready: /bypass permissions on/,
    files: (project) => ({
      '.claude.json': {
        hasCompletedOnboarding: true,
        customApiKeyResponses: { approved: ['sk-dummy'] },
        bypassPermissionsModeAccepted: true,
        projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      },
    }),
  },
  codex: {
    words: without('exec', '--skip-git-repo-check'),
    ready: /Ask Codex to do anything/,
    slash: '/init',
  },
  'gemini-cli': { words: without('-p'), ready: /Type your message/ },
  'qwen-code': { words: without('-p'), ready: /Type your message/ },
  'kimi-code': {
    words: without('-p'),
    asks: [[/Trust this folder\?/, 'Enter']],
    ready: /context: 0%/,
    slash: '/init',
  },
  'copilot-cli': {
    words: without('-p'),
    asks: [[/Do you trust the files/, 'Enter']],
    ready: /\/ commands · \? help/,
    slash: '/init',
  },
  'grok-build': { words: without('-p'), ready: /│ ❯/ },
  opencode: { words: () => [], ready: /ctrl\+p commands/ },
  pi: { words: without('-p'), ready: /%\/\d+k/ },
  'oh-my-pi': {
    words: without('-p'),
    asks: Array.from({ length: 5 }, () => [/Setup step \d of 5/, 'Escape'] as const),
    ready: /π > /,
  },
};
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
const TRIED = CHOSEN.filter((agent) => IN_TERMINAL[agent] !== undefined);

test.skipIf(TRIED.length > 0)('none of these agents runs `!` lines', () => {});
test.skipIf(!hasTmux()).concurrent.for(TRIED)(
  '%s asks hooks about what is typed as its record says',
  async (agent, { onTestFinished }) => {
    const { words, asks = [], ready, files, slash } = IN_TERMINAL[agent]!;
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'bang-')));
    const [home, project] = [join(root, 'home'), join(root, 'project')];
    for (const folder of [home, project]) mkdirSync(folder);
    const model = await startModelServer({
      script: [{ shell: 'touch by-the-model' }, { text: 'done' }],
      cwd: project,
    });
    const sealed = await seal(root, [Number(new URL(model.url).port)]);
    onTestFinished(async () => {
      sealed.close();
      await model.close();
      await endDaemon(home);
      removeTree(root);
    });
    await settle(agent, { home, url: model.url });
    for (const [name, value] of Object.entries(files?.(project) ?? {})) put(home, name, value);
    const guard = { name: 'guard', run: `cat >> ${root}/asked; exit 2` };
    put(home, '.config/anyhook/hooks.json', { hooks: { 'tool.before': [guard] } });
    const { args, env: more } = await headlessOf(agent);
    const env = { PATH, LANG: 'C.UTF-8', HOME: home, SHELL: '/bin/bash', ...more(model.url) };
    execFileSync(process.execPath, [join(PACKAGE, 'dist/bin/anyhook.cjs'), 'install', agent, '--json'], {
      cwd: project,
      env,
    });
    const [file, ...first] = await programOf(agent);
    const [program, rest] = sealed.line(file, [...first, ...words(args(PROMPT, model.url))]);
    const terminal = openTerminal([program, ...rest].map(quoted).join(' '), env, project);
    onTestFinished(terminal.close);
    for (const [question, key] of asks) {
      await terminal.sees(question, LONGEST_MS);
      await vi.waitFor(() => terminal.keys(key));
      await new Promise((resolve) => setTimeout(resolve, 1_000)); // It draws before it accepts input.
    }
    await terminal.sees(ready, LONGEST_MS);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    terminal.types('!');
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // It modifies the input line.
    terminal.types('touch by-the-person');
    await terminal.sees('by-the-person', LONGEST_MS);
    await new Promise((resolve) => setTimeout(resolve, 500));
    terminal.keys('Enter');
    const isAskedAbout = async (file: string): Promise<'asked' | 'unasked'> => {
      const asked = () =>
        existsSync(join(root, 'asked')) && readFileSync(join(root, 'asked'), 'utf8').includes(file);
      const happened = () => expect(existsSync(join(project, file)) || asked()).toBe(true);
      await vi.waitFor(happened, { timeout: LONGEST_MS });
      return asked() ? 'asked' : 'unasked';
    };
    const { bang, slash: command } = AGENTS[agent].sideRoutes;
    expect(await isAskedAbout('by-the-person')).toBe(bang.sight);
    if (slash === undefined) return;
    terminal.keys('Escape'); // It may stay in the command line.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    terminal.types(slash);
    await terminal.sees(slash, LONGEST_MS);
    await new Promise((resolve) => setTimeout(resolve, 1_000)); // A list of commands appears.
    terminal.keys('Enter');
    const seen = await isAskedAbout('by-the-model').catch(async (error: unknown) => {
      throw new Error(await terminal.sees(''), { cause: error });
    });
    expect([seen, existsSync(join(project, 'by-the-model'))]).toEqual([command.sight, false]);
  },
);
