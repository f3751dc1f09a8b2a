/** The ten policies of docs/rules.md, and a refusal that stays, in three real agents. */

import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import type { AgentName } from '../../src/agents/index.ts';
import type { ScriptedTurn } from '../../src/testing/index.ts';
import { put } from './guards.ts';
import { CHOSEN } from './packages.ts';
import { runAgent, type Scene } from './run-agent.ts';

const PAGE = readFileSync(fileURLToPath(new URL('../../../../docs/rules.md', import.meta.url)), 'utf8');
const POLICIES: unknown = parse(/^## Ten policies$[^]*?^```jsonc\n([^]*?)^```$/m.exec(PAGE)?.[1] ?? '');

const NAMES = ['claude-code', 'codex', 'opencode'] as const satisfies readonly AgentName[];
type Tried = (typeof NAMES)[number];
const AGENTS = NAMES.filter((name) => CHOSEN.includes(name));

/** Programs that only note that they ran. */
function putPrograms({ home, project }: Pick<Scene, 'home' | 'project'>): void {
  for (const name of ['git', 'npm', 'terraform', 'pg_dump', 'curl']) {
    const others = name === 'git' ? 'case "$1" in push|commit) ;; *) exec /usr/bin/git "$@";; esac\n' : '';
    put(home, `bin/${name}`, `#!/bin/sh\n${others}echo "${name} $*" >> '${project}/ran.log'\n`);
    chmodSync(join(home, 'bin', name), 0o755);
  }
  // Codex starts a login shell, which sets its own PATH.
  put(home, '.bash_profile', `export PATH="${home}/bin:$PATH"\n`);
}

/** In order: what no rule allows yet, what makes it allowed, and the same again. */
const COMMANDS = [
  'git push one',
  'npm test',
  'git push two',
  'git commit -m one',
  'npm run lint',
  'git commit -m two',
  'npm publish one',
  'npm publish two',
  ...[1, 2, 3, 4, 5, 6].map((nth) => `npm run deploy ${nth}`),
  'curl one',
  'cat secrets.pem',
  'curl two',
  'terraform apply one',
  'terraform plan',
  'terraform apply two',
  'npm run migrate one',
  'pg_dump app',
  'npm run migrate two',
];
/** Refused whatever ran before: too early, or too often. */
const NEVER = [
  'git push one',
  'git commit -m one',
  'npm publish two',
  'npm run deploy 6',
  'curl two',
  'terraform apply one',
  'npm run migrate one',
];
/** Codex does not report whether a command succeeded, so its rules with `succeeded` refuse. */
const UNKNOWN = ['git push two', 'git commit -m two', 'terraform apply two', 'npm run migrate two'];

const migration = (nth: number) => `migrations/${nth}.sql`;
const SQL = 'select 1;\n';
/** The tools that the commands do not cover. `null`: the agent has no such tool. */
const TOOLS: Readonly<
  Record<
    Tried,
    {
      readonly fetch: ScriptedTurn | null;
      readonly task: ScriptedTurn | null;
      readonly write: ((nth: number) => ScriptedTurn) | null;
      readonly read: ScriptedTurn | null;
    }
  >
> = {
  'claude-code': {
    fetch: { tool: 'WebFetch', args: { url: 'https://example.com/', prompt: 'read' } },
    task: {
      tool: '/^(?:Task|Agent)$/',
      args: { description: 'a task', prompt: 'say done', subagent_type: 'general-purpose' },
    },
    write: (nth) => ({ tool: 'Write', args: { file_path: `{{CWD}}/${migration(nth)}`, content: SQL } }),
    read: { tool: 'Read', args: { file_path: '{{CWD}}/migrations/README.md' } },
  },
  codex: {
    fetch: null,
    // The scripted model is offered neither `spawn_agent` nor `apply_patch`.
    task: null,
    write: null,
    read: null,
  },
  opencode: {
    fetch: { tool: 'webfetch', args: { url: 'https://example.com/', format: 'text' } },
    task: { tool: 'task', args: { description: 'a task', prompt: 'say done', subagent_type: 'general' } },
    write: (nth) => ({ tool: 'write', args: { filePath: `{{CWD}}/${migration(nth)}`, content: SQL } }),
    read: { tool: 'read', args: { filePath: '{{CWD}}/migrations/README.md' } },
  },
};

const TOLD = ['It has not run in this session', 'Secrets were read', 'explains how'];

const installed =
  (agent: AgentName, settings: unknown, more: (scene: Scene) => void = () => {}) =>
  async (scene: Scene): Promise<void> => {
    put(scene.home, '.config/anyhook/hooks.json', settings as object);
    more(scene);
    await scene.anyhook(['install', agent, '--json']);
  };

describe.each(AGENTS)('%s', (agent) => {
  const { fetch, task, write, read } = TOOLS[agent];

  test.each([
    ['with the ten policies of docs/rules.md, exactly the calls run that they allow', POLICIES],
    ['without policies, all of the calls run', { hooks: {} }],
  ])('%s', async (_, settings) => {
    const script: ScriptedTurn[] = [
      ...COMMANDS.map((shell) => ({ shell })),
      ...(write === null ? [] : [write(1)]),
      ...(write === null || read === null ? [] : [read, write(2)]),
      ...(fetch === null ? [] : [fetch, { shell: 'git push three' }]),
      { text: 'done' },
    ];
    const { ran, files, told, output } = await runAgent(
      agent,
      {
        script,
        prepare: installed(agent, settings, (scene) => {
          putPrograms(scene);
          put(scene.project, 'secrets.pem', 'not a key\n');
          put(scene.project, 'migrations/README.md', 'Name them by number.\n');
        }),
      },
      ({ has, read: contents, conversation, output: printed }) => ({
        ran: has('ran.log') ? contents('ran.log').trim().split('\n') : [],
        files: [1, 2].filter((nth) => has(migration(nth))),
        told: TOLD.filter((text) => conversation.includes(text)),
        output: printed,
      }),
    );
    const isRuled = settings === POLICIES;
    const refused = isRuled ? [...NEVER, ...(agent === 'codex' ? UNKNOWN : [])] : [];
    const wanted = COMMANDS.filter((command) => !command.startsWith('cat ') && !refused.includes(command));
    const last = fetch === null || isRuled ? [] : ['git push three'];
    expect({ ran, files, told }, output).toEqual({
      ran: [...wanted, ...last],
      files: write === null ? [] : isRuled ? [2] : [1, 2],
      told: isRuled ? TOLD.slice(0, write === null ? 2 : 3) : [],
    });
  });

  test.runIf(task !== null)('the policy of three subagents refuses the fourth', async () => {
    const { refused, output } = await runAgent(
      agent,
      {
        script: [task!, task!, task!, task!, { text: 'done' }],
        prepare: installed(agent, POLICIES),
      },
      ({ journal, output: printed }) => ({
        refused: journal
          .split('\n')
          .filter((line) => line.includes('"verdict":"deny"') && line.includes('few-subagents')).length,
        output: printed,
      }),
    );
    expect(refused, output).toBeGreaterThan(0);
  });

  test.each([
    ['is refused again in a script and in Python, and other calls run', {}, { isLeft: true, times: 2 }],
    ['with "sticky": false is not, and the folder is gone', { sticky: false }, { isLeft: false, times: 0 }],
  ])('a refused deletion %s', async (_, more, wanted) => {
    const guard = {
      name: 'no-rm-rf',
      match: 'shell',
      run: `if grep -q 'rm -rf build'; then echo 'keep the build' >&2; exit 2; fi`,
      ...more,
    };
    const { output, ...seen } = await runAgent(
      agent,
      {
        script: [
          { shell: 'rm -rf build' },
          { shell: "printf 'rm -r build\\n' > t.sh" },
          { shell: 'bash t.sh' },
          { shell: `python3 -c "import shutil; shutil.rmtree('build', True)"` },
          { shell: 'touch fine.txt' },
          { text: 'done' },
        ],
        prepare: installed(agent, { hooks: { 'tool.before': [guard] } }, ({ project }) =>
          put(project, 'build/a.o', 'x'),
        ),
      },
      ({ has, requests, output: printed }) => ({
        isLeft: has('build/a.o'),
        isFine: has('fine.txt'),
        times: (requests.at(-1) ?? '').split('Already refused at ').length - 1,
        output: printed,
      }),
    );
    expect(seen, output).toEqual({ ...wanted, isFine: true });
  });
});
