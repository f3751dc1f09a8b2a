/** A home in which agents have been at work: real hooks, asked by the library as an agent asks it. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EVERYTHING } from '../../src/events/capabilities.ts';
import { createHooks } from '../../src/library/create-hooks.ts';
import type { Hooks } from '../../src/library/hooks.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { openView, type View } from '../../src/view/open-view.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));

/** What ends an element, begins another, leaves an attribute, steers a terminal or turns text around. */
export const HOSTILE = [
  '</pre></script><script>document.title="owned"</script>',
  '<img src=x onerror="document.title=\'owned\'">',
  '<a href="javascript:alert(1)">click</a>',
  '"><svg onload=alert(1)>',
  '\u001b[31mred\u202ekcab\u2066\u200b',
] as const;

export interface World {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  put(path: string, text: string, mode?: number): void;
  /** An agent of that name, at work until it is closed. */
  agent(name: string): Promise<Hooks>;
  cli(args: readonly string[]): {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
  /** By default as its user starts it. */
  view(options?: { readonly isUsers?: boolean }): Promise<View>;
  /** An agent that cannot ask its user, so its questions wait for an answer from elsewhere. */
  silentAgent(name: string): Promise<Hooks>;
  remove(): Promise<void>;
}

const GUARD = `const text = require('node:fs').readFileSync(0, 'utf8');
const { input } = JSON.parse(text);
const command = String(input?.command ?? '');
if (command.includes('npm publish')) console.log(JSON.stringify({ decision: 'ask', reason: 'A release cannot be taken back.' }));
else if (command.includes('HOSTILE')) console.log(JSON.stringify({ decision: 'deny', reason: command.slice(command.indexOf(':') + 1) }));
else if (command === 'npm test') console.log(JSON.stringify({ input: { command: 'npm test -- --silent' } }));
`;

const SETTINGS = `{
  "hooks": {
    "prompt.submit": [{ "name": "house rules", "run": "cat >/dev/null; echo Be brief." }],
    "tool.before": [
      { "name": "no force-push", "match": "shell(git push --force*)", "run": "echo Ask a person before you force-push. >&2; exit 2" },
      { "name": "guard", "match": "shell", "run": "node ~/guard.cjs" },
      { "name": "strict", "match": "shell(rm *)", "run": "echo not here >&2; exit 2", "shadow": true }
    ],
    "tool.after": [{ "name": "notes", "run": "cat >/dev/null" }],
    "turn.stop": [{ "name": "broken", "run": "./not-there.sh", "onFailure": "allow" }]
  }
}
`;

export function makeWorld(): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-browser-')));
  const [home, cwd] = [join(root, 'home'), join(root, 'home', 'shop')];
  const env = { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1', TZ: 'UTC' };
  const views: View[] = [];
  const put: World['put'] = (path, text, mode = 0o644) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode });
  };
  mkdirSync(cwd, { recursive: true });
  put('home/guard.cjs', GUARD);
  put('home/.config/anyhook/hooks.json', SETTINGS);
  const cli: World['cli'] = (args) =>
    spawnSync(process.execPath, [CLI, ...args], { cwd, env, encoding: 'utf8' });
  return {
    root,
    home,
    cwd,
    env,
    put,
    cli,
    agent: (name) => createHooks({ host: { name, can: EVERYTHING }, home, cwd, env }),
    silentAgent: (name) =>
      createHooks({
        host: {
          name,
          can: { 'tool.before': { deny: 'full', allow: 'full', set: 'full', ask: { as: 'deny' } } },
        },
        home,
        cwd,
        env,
        approvals: true,
      }),
    async view({ isUsers = true } = {}) {
      const view = await openView({ home, cwd, env, isUsers });
      views.push(view);
      return view;
    },
    async remove() {
      for (const view of views) await view.close();
      removeTree(root);
    },
  };
}

/** A prompt, a changed call, a refusal, a question, a stop at which a hook breaks; and text that wants to be more than text. */
export async function work(hooks: Hooks, session: string): Promise<void> {
  const shell = (command: string, call: string) =>
    hooks.fire({
      name: 'tool.before',
      ids: { session, call },
      payload: { tool: 'shell', input: { command } },
    });
  const ids = { session };
  await hooks.fire({
    name: 'prompt.submit',
    ids,
    payload: { prompt: 'Run the tests, push it and publish it.' },
  });
  await shell('npm test', 'c1');
  await hooks.fire({
    name: 'tool.after',
    ids: { session, call: 'c1' },
    payload: {
      tool: 'shell',
      input: { command: 'npm test -- --silent' },
      content: [{ type: 'text', text: '12 passed' }],
    },
  });
  await shell('git add -A && git push --force', 'c2');
  await shell('rm -rf build', 'c3');
  await shell('npm publish', 'c4');
  await hooks.fire({ name: 'turn.stop', ids, payload: { active: false, reason: 'done' } });
}

export async function workHostile(hooks: Hooks, session: string): Promise<void> {
  for (const [at, text] of HOSTILE.entries())
    await hooks.fire({
      name: 'tool.before',
      ids: { session, call: `h${at}` },
      payload: { tool: 'shell', input: { command: `echo HOSTILE:${text}` } },
    });
}
