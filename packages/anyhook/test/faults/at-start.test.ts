/**
 * A misspelled top-level key in a file of any dialect is shown at the session start, with its location and a
 * suggestion.
 */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { AGENTS } from '../../src/agents/index.ts';
import { answerFire, fireRequest, locationsFor, openHooks } from '../../src/fire/answer.ts';
import { fireArguments } from '../../src/fire/arguments.ts';
import { removeTree } from '../../src/settings/remove-tree.ts';
import { result } from './results.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-start-')));
const project = join(root, 'project');
mkdirSync(project);
afterAll(() => removeTree(root));
afterEach(() => vi.unstubAllEnvs());

const grouped = (word: string) => `{"KEY":{"${word}":[{"hooks":[{"type":"command","command":"guard"}]}]}}`;
/** A user guard under the correct key. */
const FILES: Readonly<Record<string, readonly [file: string, text: string, key: string]>> = {
  anyhook: ['.config/anyhook/hooks.json', '{"KEY":{"tool.after":[{"run":"guard"}]}}', 'hooks'],
  'claude-code': ['.claude/settings.json', grouped('PreToolUse'), 'hooks'],
  codex: ['.codex/hooks.json', grouped('PreToolUse'), 'hooks'],
  'copilot-cli': [
    '.copilot/hooks/a.json',
    '{"version":1,"KEY":{"preToolUse":[{"type":"command","bash":"guard"}]}}',
    'hooks',
  ],
  cursor: ['.cursor/hooks.json', '{"version":1,"KEY":{"preToolUse":[{"command":"guard"}]}}', 'hooks'],
  'gemini-cli': ['.gemini/settings.json', grouped('BeforeTool'), 'hooks'],
  goose: ['.config/goose/hooks.json', grouped('PreToolUse'), 'hooks'],
  'grok-build': ['.grok/hooks/a.json', grouped('PreToolUse'), 'hooks'],
  'kimi-code': ['.kimi-code/config.toml', '[[KEY]]\nevent = "PreToolUse"\ncommand = "guard"\n', 'hooks'],
  'oh-my-pi': ['.pi/agent/settings.json', '{"KEY":["./guard.ts"]}', 'extensions'],
  opencode: [
    '.config/opencode/opencode.json',
    '{"experimental":{"KEY":{"session_completed":[{"command":["guard"]}]}}}',
    'hook',
  ],
  opta: ['.config/opta/config.json', '{"KEY":[{"event":"tool.pre","command":"guard"}]}', 'hooks'],
  'qwen-code': ['.qwen/settings.json', grouped('PreToolUse'), 'hooks'],
};

/** Another agent, and the agent that reads the file itself. That agent may ignore the typo without a message. */
const hostsFor = (name: string): string[] => [
  name === 'qwen-code' ? 'codex' : 'qwen-code',
  ...(Object.hasOwn(AGENTS, name) ? [name] : []),
];

async function start(name: string, host: string, keyOf: (key: string) => string): Promise<string> {
  const home = mkdtempSync(join(root, 'home-'));
  const [path, text, key] = FILES[name]!;
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text.replace('KEY', keyOf(key)));
  vi.stubEnv('HOME', home);
  for (const variable of ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_DATA_HOME']) vi.stubEnv(variable, '');
  const payload = { hook_event_name: 'SessionStart', session_id: name, cwd: project, source: 'startup' };
  const args = fireArguments(['--as', 'claude-code', '--host', host]);
  const request = fireRequest(args, JSON.stringify(payload), { env: process.env, cwd: project });
  const [locations, startedMs] = [locationsFor(request), performance.now()];
  const hooks = await openHooks(request, { locations, log: () => {}, startedMs });
  const { stdout, stderr } = await answerFire(request, hooks, { locations, startedMs });
  await hooks.close();
  return `${stdout}${stderr}`;
}

let cells = 0;
test.each(Object.keys(FILES))('%s', async (name) => {
  const [path, , key] = FILES[name]!;
  for (const host of hostsFor(name)) {
    for (const slip of [key.slice(0, -1), key[0]!.toUpperCase() + key.slice(1)]) {
      const said = await start(name, host, () => slip);
      expect(said, `${slip} in ${host}`).toContain(path.split('/').at(-1));
      expect(said, `${slip} in ${host}`).toMatch(/Did you mean|anyhook list/);
      cells++;
    }
    expect(await start(name, host, (right) => right), host).not.toMatch(/Did you mean/);
  }
});

test('every dialect was tried', () => {
  result(
    'G17',
    `a misspelt key in ${Object.keys(FILES).length} dialects, at the start of a session: ${cells} cells`,
    '0 silent',
  );
});
