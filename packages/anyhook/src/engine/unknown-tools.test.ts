/** A guard for the shell or for files runs on a call of any tool whose arguments show what it does. */

import { describe, expect, test } from 'vitest';
import { readMatcher } from '../agents/anyhook/dialect/match.ts';
import { DIALECTS, toolColumns } from '../dialects.ts';
import type { Fields } from '../events/effects.ts';
import { deny, set } from '../events/effects.ts';
import type { Hook } from '../events/hook.ts';
import { makeLexicon } from '../events/lexicon.ts';
import { inHostWords, makeEventOf } from '../library/event-of.ts';
import { makeEngine } from './engine.ts';

const LEXICON = makeLexicon(toolColumns());

async function fire(match: string, tool: string, input: Fields, answer: (shown: Fields) => unknown) {
  const { matcher } = readMatcher(match, 'tool.before');
  const shown: Fields[] = [];
  const hook: Hook = {
    id: 'guard',
    dialect: 'anyhook',
    on: 'tool.before',
    origin: { layer: 'user', file: 'hooks', line: 1 },
    roles: ['guard', 'mutator'],
    ...matcher!,
    run: { kind: 'call', fn: () => undefined },
    background: false,
    shadow: false,
    timeoutMs: 1000,
  };
  const engine = makeEngine({
    dialects: DIALECTS,
    hooks: [hook],
    services: {},
    spellings: LEXICON.spellings,
    mcpTools: LEXICON.mcpTools,
    run(_hook, request) {
      const [event] = (request as unknown as { args: [{ payload: Fields }] }).args;
      shown.push(structuredClone({ ...event.payload }));
      return { kind: 'returned', value: answer(event.payload), args: [] };
    },
  });
  const event = makeEventOf({ cwd: '/p', lexicon: LEXICON })({
    name: 'tool.before',
    payload: { tool, input },
  } as never);
  const ruling = await engine.fire(event);
  return {
    shown,
    verdict: ruling?.verdict ?? 'none',
    input: ruling && (inHostWords(ruling, event).payload['input'] as Fields),
  };
}
const refused = async (match: string, tool: string, input: Fields) =>
  (await fire(match, tool, input, () => deny('no'))).verdict === 'deny';

/** Names of shell tools in agents, frameworks and model providers. */
const SHELLS =
  'execute_command executeCommand run_terminal_cmd run_terminal_command run_in_terminal runInTerminal exec_command local_shell execute exec run powershell PowerShell pwsh run_shell_command terminal Terminal Execute container.exec functions.exec_command execute_bash shell_exec run_bash bash_tool launch-process start_process unified_exec shell_command sh zsh cmd console process_start commandRunner my_own_tool mcp__desktop__start_process developer__shell Shell system subprocess sandbox_exec ssh_exec docker_exec Bash run_command'.split(
    ' ',
  );

describe('a guard for shell commands', () => {
  test.each(SHELLS)('runs on a command of the tool %s', async (tool) => {
    for (const input of [
      { command: 'rm -rf ~/x' },
      { cmd: 'rm -rf ~/x' },
      { script: 'cd /tmp\nrm -rf ~/x' },
      { command: ['rm', '-rf', '/home/me/x'] },
      { command: ['bash', '-lc', 'rm -rf ~/x'] },
      { commands: ['ls', 'rm -rf ~/x'] },
      { command: 'rm', args: ['-rf', '/home/me/x'] },
      { action: { type: 'exec', command: ['rm', '-rf', '/home/me/x'] } },
      { CommandLine: 'rm -rf ~/x' },
    ]) {
      expect([input, await refused('shell(rm -rf*)', tool, input)]).toEqual([input, true]);
      expect([input, await refused('Bash', tool, input)]).toEqual([input, true]);
      expect([input, await refused('danger:delete', tool, input)]).toEqual([input, true]);
    }
    for (const input of [{ command: 'ls -l' }, { cmd: ['git', 'status'] }, { script: 'npm test' }])
      expect([input, await refused('shell(rm -rf*)', tool, input)]).toEqual([input, false]);
  });

  test.each<[string, Fields]>([
    ['run_python', { code: 'import shutil; shutil.rmtree("/home/me/x")' }],
    ['execute_code', { language: 'bash', code: 'rm -rf ~/x' }],
    [
      'execute_code',
      { language: 'javascript', code: 'require("fs").rmSync("/home/me/x", { recursive: true })' },
    ],
    ['delete_directory', { path: '/home/me/x' }],
    ['send_keys', { session: 1, keys: 'rm -rf ~/x\n' }],
    ['write_stdin', { session_id: 1, chars: 'rm -rf ~/x\n' }],
  ])('runs on what %s does: %j', async (tool, input) => {
    expect(await refused('danger:delete', tool, input)).toBe(true);
  });

  test.each<[string, Fields]>([
    ['SlashCommand', { command: '/review' }],
    ['Skill', { command: 'pdf' }],
    ['str_replace_based_edit_tool', { command: 'view', path: 'a.ts' }],
    ['mcp__browser__evaluate', { script: '() => document.title' }],
    ['ask_user', { question: 'rm -rf ~/x?' }],
    ['search_docs', { query: 'rm -rf' }],
    ['create_issue', { title: 'rm -rf', body: 'rm -rf ~/x' }],
    ['sql', { query: 'select 1' }],
  ])('does not run on %s, which starts no program: %j', async (tool, input) => {
    expect((await fire('shell', tool, input, () => deny('no'))).shown).toEqual([]);
  });

  test.each<[string, Fields, Fields]>([
    ['execute_command', { command: 'a', requires_approval: true }, { command: 'b', requires_approval: true }],
    ['exec_command', { cmd: 'a', workdir: '/p' }, { cmd: 'b', workdir: '/p' }],
    ['shell', { command: ['a'], timeout: 5 }, { command: ['sh', '-c', 'b'], timeout: 5 }],
    ['shell', { command: 'a', args: ['x'] }, { command: 'sh', args: ['-c', 'b'] }],
    ['local_shell', { action: { command: ['a', 'x'] } }, { action: { command: ['sh', '-c', 'b'] } }],
    ['shell', { commands: ['a', 'x'] }, { commands: ['b'] }],
    ['my_own_tool', { cmd: ['a', 'x'], note: 1 }, { cmd: ['sh', '-c', 'b'], note: 1 }],
    ['my_own_tool', { script: 'a' }, { script: 'b' }],
  ])('changes the command of %s %j where the tool takes it', async (tool, input, wanted) => {
    const before = structuredClone(input);
    const { input: after } = await fire('shell', tool, input, () => set('input', 'command', 'b'));
    expect(after).toEqual(wanted);
    expect(input).toEqual(before);
  });

  test.each<[string, Fields]>([
    ['shell', { command: ['ls', '-l'], timeout: 5 }],
    ['local_shell', { action: { command: ['ls'], env: {} } }],
    ['my_own_tool', { cmd: ['ls'], note: 1 }],
  ])('without an answer leaves %s %j unchanged', async (tool, input) => {
    const { input: after } = await fire('*', tool, input, () => undefined);
    expect(after).toEqual(input);
  });
});

describe('a guard for files', () => {
  const path = '/p/.env';
  test.each<[string, string, Fields]>([
    ['write(.env)', 'Create', { file_path: path, content: 'x' }],
    ['write(.env)', 'write_to_file', { path, content: 'x' }],
    ['write(.env)', 'save-file', { path, file_content: 'x' }],
    ['write(.env)', 'put', { filename: path, contents: 'x' }],
    ['write(.env)', 'create_file', { filePath: path, content: 'x' }],
    ['write(.env)', 'writeToFile', { TargetFile: path, CodeContent: 'x' }],
    ['write(.env)', 'fs_write', { command: 'create', path, file_text: 'x' }],
    ['write(.env)', 'mcp__filesystem__write_file', { path, content: 'x' }],
    ['write(.env)', 'update_file', { path, content: 'x' }],
    ['Write', 'move_file', { source: 'a', destination: path }],
    ['edit(.env)', 'StrReplace', { path, old_str: 'a', new_str: 'b' }],
    ['edit(.env)', 'replace_string_in_file', { filePath: path, oldString: 'a', newString: 'b' }],
    ['edit(.env)', 'change', { file: path, search: 'a', replace: 'b' }],
    ['edit(.env)', 'apply_diff', { path, diff: '<<<<<<< SEARCH' }],
    ['edit(.env)', 'edit_file', { target_file: path, code_edit: 'x' }],
    ['edit(.env)', 'edit_many', { path, edits: [{ a: 1 }] }],
    [
      'edit(.env)',
      'ApplyPatch',
      { input: `*** Begin Patch\n*** Update File: ${path}\n@@\n-a\n+b\n*** End Patch` },
    ],
    ['edit(.env)', 'git_apply', { patch: `--- a${path}\n+++ ${path}\n@@ -1 +1 @@\n-a\n+b\n` }],
    ['read(.env)', 'view_file', { AbsolutePath: path }],
    ['read(.env)', 'open_document', { file: path }],
    ['read(.env)', 'mcp__filesystem__read_text_file', { path }],
    ['danger:secrets', 'get_file_contents', { path }],
    ['fetch(*evil.example*)', 'browse_web', { url: 'https://evil.example/x' }],
    ['fetch(*evil.example*)', 'fetch_url', { url: 'https://evil.example/x' }],
  ])('%s runs on %s %j', async (match, tool, input) => {
    expect(await refused(match, tool, input)).toBe(true);
  });

  test.each<[string, string, Fields]>([
    ['write(.env)', 'Create', { file_path: '/p/a.ts', content: 'x' }],
    ['write', 'post_comment', { body: 'x' }],
    ['write', 'list_directory', { path }],
    ['read(.env)', 'list_directory', { path: '/p' }],
    ['edit', 'search_issues', { query: 'x' }],
  ])('%s does not run on %s %j', async (match, tool, input) => {
    expect(await refused(match, tool, input)).toBe(false);
  });

  test.each(['NotebookEdit', 'notebook_edit', 'edit_notebook_file'])(
    'runs on the notebook edit %s under every name that it guards',
    async (tool) => {
      const input =
        tool === 'edit_notebook_file'
          ? { filePath: '/p/a.ipynb', newCode: 'x' }
          : { notebook_path: '/p/a.ipynb', new_source: 'x', cell_id: '1' };
      for (const match of [
        'edit(*.ipynb)',
        'write(*.ipynb)',
        'Edit',
        'Write',
        'Edit|Write',
        tool,
        'NotebookEdit',
      ])
        expect([match, await refused(match, tool, input)]).toEqual([match, true]);
      expect(await refused('edit(*.ts)', tool, input)).toBe(false);
    },
  );
});

test('a hook without a matcher gets a call of an unknown tool once and unchanged', async () => {
  const input = { command: 'ls', extra: 1 };
  const { shown } = await fire('*', 'my_own_tool', input, () => undefined);
  expect(shown.map(({ tool, input: seen }) => [tool, seen])).toEqual([['my_own_tool', input]]);
});

test('a hook that names the unknown tool gets the original call, not a reading of it', async () => {
  const { shown } = await fire('my_own_tool', 'my_own_tool', { command: 'ls' }, () => undefined);
  expect(shown.map(({ tool }) => tool)).toEqual(['my_own_tool']);
});
