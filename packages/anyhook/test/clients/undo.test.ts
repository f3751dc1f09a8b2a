/**
 * A real agent deletes, moves and rewrites files by shell and by its own tools, the user edits between and after, and one command
 * brings the tree back byte for byte without the user's edits being lost.
 */

import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { AgentName } from '../../src/agents/index.ts';
import { treeOf } from '../../src/undo/fixtures/project.ts';
import { put } from './guards.ts';
import { PACKAGE } from './package-under-test.ts';
import { CHOSEN } from './packages.ts';
import { keepResults } from './results.ts';
import { runAgent, type Scene } from './run-agent.ts';

const PERSON = join(import.meta.dirname, '../person.sh');
const WRITTEN = 'by-tool.txt';
const COMMANDS = [
  'ls',
  'rm -r docs .env',
  'printf changed > src/crlf.txt; chmod 600 run.sh',
  'mv src moved; mkdir -p made/deep; echo new > made/deep/file',
  'rm binary; exit 3',
  `sh -c 'rm link; echo again > README.md'`,
];

const seen = new Map<AgentName, object>();
afterAll(() => keepResults('undo', seen));

function fill(project: string): void {
  execFileSync('git', ['init', '-q', project]);
  for (const folder of ['src', 'docs/empty']) mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, '.gitignore'), '.env\n');
  writeFileSync(join(project, '.gitattributes'), '* text=auto eol=lf\n');
  writeFileSync(join(project, '.env'), 'TOKEN=1\n');
  writeFileSync(join(project, 'src/crlf.txt'), 'a\r\nb\r\n');
  writeFileSync(join(project, 'docs/page.md'), '# Page\n');
  writeFileSync(join(project, 'README.md'), '# Project\n');
  writeFileSync(join(project, 'binary'), Buffer.from([0, 255, 10, 13]));
  writeFileSync(join(project, 'run.sh'), '#!/bin/sh\n');
  chmodSync(join(project, 'run.sh'), 0o755);
  symlinkSync('src/crlf.txt', join(project, 'link'));
  writeFileSync(join(project, 'notes.txt'), 'mine\n');
}

/** Agents keep files of their own in a project. */
const withoutAgents = (tree: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(tree).filter(([path]) => names.includes(path.split('/')[0]!)));

describe.each(CHOSEN)('%s', (agent) => {
  test('one command brings back what the agent deleted, moved and rewrote, and keeps what the user edited', async () => {
    const hasWriteTool = agent !== 'codex'; // it writes files by shell
    let scene: Scene | undefined;
    let before: Record<string, string> = {};
    // Kimi Code goes on before the hooks of the end have run, so an edit at that moment counts as the agent's.
    const isUserHere = agent !== 'kimi-code';
    const edit = () => isUserHere && appendFileSync(join(scene!.project, 'notes.txt'), 'more\n');
    const result = await runAgent(
      agent,
      {
        script: [
          ...COMMANDS.map((shell) => ({ shell })),
          ...(hasWriteTool ? [{ write: `{{CWD}}/${WRITTEN}` }] : []),
          { text: 'done' },
        ],
        beforeCall: () => void edit(),
        async prepare(given) {
          scene = given;
          fill(given.project);
          put(given.home, '.config/anyhook/hooks.json', { undo: true });
          await given.anyhook(['install', agent, '--json']);
          before = treeOf(given.project);
        },
      },
      ({ read, journal, output }) => {
        const { project, env } = scene!;
        const broken = treeOf(project);
        const notes = read('notes.txt');
        const cli = [process.execPath, join(PACKAGE, 'dist/bin/anyhook.cjs')];
        const args = ['undo', '--session', '--yes', '--cwd', project];
        let printed: string;
        try {
          printed = execFileSync('sh', [PERSON, ...cli, ...args], { env, encoding: 'utf8', input: '' });
        } catch (error) {
          printed = String((error as { stdout: unknown }).stdout);
        }
        const names = [
          ...new Set([...Object.keys(before), 'moved', 'made', WRITTEN].map((path) => path.split('/')[0]!)),
        ];
        const after = withoutAgents(treeOf(project), names);
        const expected = { ...before, 'notes.txt': `file 644 ${notes}` };
        return {
          isBroken: ['docs', '.env', 'src', 'binary', 'link'].every((path) => broken[path] === undefined),
          wrote: broken[WRITTEN] !== undefined,
          isSame: JSON.stringify(after) === JSON.stringify(withoutAgents(expected, names)),
          isNamed: /"undo":\{"id":"\w+","snapshot":"[0-9a-f]{64}"/.test(journal),
          edits: notes.split('\n').length > 3,
          printed,
          output,
          after,
          expected: withoutAgents(expected, names),
        };
      },
    );
    const { printed, output, after, expected, ...facts } = result;
    seen.set(agent, facts);
    expect(after, `${output}\n${printed}`).toEqual(expected);
    expect(facts, `${output}\n${printed}`).toEqual({
      isBroken: true,
      wrote: hasWriteTool,
      isSame: true,
      isNamed: true,
      edits: isUserHere,
    });
  });
});
