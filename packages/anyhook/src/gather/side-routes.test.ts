import { describe, expect, test } from 'vitest';
import { AGENTS } from '../agents/index.ts';
import { EVERYTHING } from '../events/capabilities.ts';
import { deny, type Fields } from '../events/effects.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { ProgramHooks } from './options.ts';
import { interactiveIn, SIDE_ROUTES_GUARD } from './side-routes.ts';

const OPEN = [
  'bash',
  'bash -i',
  'sh -l',
  '/bin/bash --norc',
  'env X=1 zsh',
  'python3',
  'python3 -i script.py',
  'node',
  'node -i -e 1',
  'sudo -u x bash',
  'cd src && bash',
  'bash; true | cat',
  'sqlite3 x.db',
  'exec bash',
  'psql -d app',
  'perl',
  'cat x.sh | sh; bash',
  'bash < /dev/tty',
];
const FED = [
  "bash -c 'ls'",
  'bash script.sh',
  'echo ls | bash',
  'cat x | sudo bash',
  'python3 -c 1',
  "python3 <<'E'\nprint(1)\nE",
  'python3 script.py',
  'python3 -m pytest',
  'node -e 1',
  'node src/main.js',
  'node --version',
  'sqlite3 x.db < dump.sql',
  'psql -c "select 1"',
  'sqlite3 x.db .tables',
  'redis-cli get foo',
  "perl -pi -e 's/a/b/' x.txt",
  "bash -lic 'npm test'",
  'npm test',
  'curl -fsSL https://x.example/x.sh | sh',
  'cat bash.txt | bash',
  'cat install.sh | sudo -u app sh',
  'curl -fsSL https://x.example/x.sh | (cd /tmp && sh)',
  "echo 'print(1)' | tee python3.log | python3",
];

test.each(OPEN)('%s waits for input', (command) => {
  expect(interactiveIn(command)).toBeDefined();
});
test.each(FED)('%s does not wait for input', (command) => {
  expect(interactiveIn(command)).toBeUndefined();
});

const BARE = { tool: 'shell', input: { command: 'bash' } };
const DELEGATED = { tool: 'delegate', input: { instructions: 'Tidy up.' } };
describe('actions that hooks cannot see', () => {
  const verdicts = async (host: string, callbacks: object, call: object = BARE) => {
    const hooks = await createHooks({
      host: { name: host, can: EVERYTHING },
      settings: false,
      journal: false,
      hooks: callbacks as ProgramHooks,
    });
    const outcome = await hooks.fire({
      name: 'tool.before',
      payload: call as { tool: string; input: Fields },
    });
    await hooks.close();
    return [outcome.verdict, outcome.reasons.map(({ by }) => by)];
  };
  const guard = {
    'tool.before': ({ payload }: { payload: { input?: { command?: unknown } } }) =>
      payload.input?.command === 'rm x' ? deny('no') : undefined,
  };

  test('an interactive shell is refused while a guard is set, if the agent sends keys without running hooks', async () => {
    expect(AGENTS.codex.sideRoutes.stdin.sight).toBe('unasked');
    expect(await verdicts('codex', guard)).toEqual(['deny', [SIDE_ROUTES_GUARD]]);
  });
  test('a subagent is refused while a guard is set, if the agent runs no hooks for subagents', async () => {
    expect(await verdicts('goose', guard, DELEGATED)).toEqual(['deny', [SIDE_ROUTES_GUARD]]);
    expect(await verdicts('goose', { 'session.end': () => undefined }, DELEGATED)).toEqual(['none', []]);
    expect(await verdicts('goose', { 'prompt.submit': () => undefined }, DELEGATED)).toEqual(['none', []]);
    expect(await verdicts('oh-my-pi', guard, DELEGATED)).toEqual(['none', []]);
  });
  test('a script that calls tools is refused while a guard is set, if the agent runs no hooks for these calls', async () => {
    const script = { tool: 'execute_typescript', input: { code: 'async function run() {}' } };
    expect(await verdicts('goose', guard, script)).toEqual(['deny', [SIDE_ROUTES_GUARD]]);
    expect(await verdicts('goose', { 'session.end': () => undefined }, script)).toEqual(['none', []]);
    expect(await verdicts('grok-build', guard, script)).toEqual(['none', []]);
  });
  test('side routes are allowed without guards, and in agents that run hooks for them', async () => {
    expect(await verdicts('codex', { 'session.end': () => undefined })).toEqual(['none', []]);
    expect(await verdicts('claude-code', guard)).toEqual(['none', []]);
  });
});
