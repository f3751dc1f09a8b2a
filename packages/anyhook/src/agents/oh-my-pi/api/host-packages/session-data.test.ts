import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeTree } from '../../../../settings/remove-tree.ts';
import {
  buildSessionContext,
  calculateContextTokens,
  createEventBus,
  estimateTokens,
  formatSkillsForPrompt,
  getLastAssistantUsage,
  getLatestCompactionEntry,
  loadSkillsFromDir,
  parseSessionEntries,
  parseSkillBlock,
  SessionManager,
} from './session-data.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'anyhook-session-data-')));
afterAll(() => removeTree(root));

const message = (id: string, parentId: string | null, role: string, more: object = {}) => ({
  type: 'message',
  id,
  parentId,
  message: { role, content: id, ...more },
});
const ENTRIES = [
  message('a', null, 'user'),
  message('b', 'a', 'assistant', {
    provider: 'p',
    model: 'm',
    usage: { totalTokens: 7 },
    stopReason: 'stop',
  }),
  { type: 'compaction', id: 'c', parentId: 'b', summary: 'short', firstKeptEntryId: 'b', tokensBefore: 9 },
  message('d', 'c', 'user'),
  message('x', 'a', 'user'),
];

test('a prompt with a skill is parsed, and any other prompt is not', () => {
  const text = '<skill name="pdf" location="/s/SKILL.md">\nRead it.\n</skill>\n\nmy.pdf';
  expect(parseSkillBlock(text)).toEqual({
    name: 'pdf',
    location: '/s/SKILL.md',
    content: 'Read it.',
    userMessage: 'my.pdf',
  });
  expect(parseSkillBlock('<skill> is a word')).toBe(null);
});

test('the context of a leaf is its branch from the last compaction on, with the model that answered', () => {
  expect(buildSessionContext(ENTRIES, 'd')).toEqual({
    thinkingLevel: 'off',
    model: { provider: 'p', modelId: 'm' },
    messages: [
      { role: 'compactionSummary', summary: 'short', tokensBefore: 9 },
      (ENTRIES[1] as { message: object }).message,
      (ENTRIES[3] as { message: object }).message,
    ],
  });
  expect(buildSessionContext(ENTRIES).messages).toHaveLength(2); // the last entry is on another branch
  expect(buildSessionContext(ENTRIES, null).messages).toEqual([]);
});

test('the last compaction, the last usage and token counts are read from entries', () => {
  expect(getLatestCompactionEntry(ENTRIES)).toBe(ENTRIES[2]);
  expect(getLatestCompactionEntry([])).toBe(null);
  expect(calculateContextTokens(getLastAssistantUsage(ENTRIES)!)).toBe(7);
  expect(calculateContextTokens({ input: 1, output: 2, cacheRead: 3, cacheWrite: 4 })).toBe(10);
  expect(estimateTokens({ role: 'user', content: [{ type: 'text', text: '12345678' }] })).toBe(2);
});

test('a session file is read, and starting one throws with the place where it works', () => {
  const file = join(root, 'session.jsonl');
  const lines = [{ type: 'session', version: 3, id: 's1', cwd: '/p' }, ...ENTRIES].map((one) =>
    JSON.stringify(one),
  );
  writeFileSync(file, [...lines, 'not JSON'].join('\n'));
  const session = SessionManager.open(file);
  expect([session.getSessionId(), session.getCwd(), session.getLeafId()]).toEqual(['s1', '/p', 'x']);
  expect(session.getEntries()).toEqual(parseSessionEntries(lines.join('\n')).slice(1));
  expect(() => SessionManager.create()).toThrow('SessionManager.create works only inside pi');
});

test('skills of a folder are found, listed for the model, and reported if they lack a description', () => {
  for (const [name, text] of [
    ['pdf', '---\nname: pdf\ndescription: Reads <pdf>\n---\nBody'],
    ['bare', 'no front matter'],
  ] as const) {
    mkdirSync(join(root, 'skills', name), { recursive: true });
    writeFileSync(join(root, 'skills', name, 'SKILL.md'), text);
  }
  const { skills, diagnostics } = loadSkillsFromDir({ dir: join(root, 'skills') });
  expect([skills.map(({ name }) => name), diagnostics.map(({ message }) => message)]).toEqual([
    ['pdf'],
    ['description is required'],
  ]);
  expect(formatSkillsForPrompt(skills)).toContain('<description>Reads &lt;pdf&gt;</description>');
});

test('an event bus calls every handler, also after one that throws, until it is removed', async () => {
  const bus = createEventBus();
  const heard: unknown[] = [];
  const off = bus.on('a', (data) => heard.push(data));
  bus.emit('a', 1);
  await new Promise((later) => setTimeout(later));
  off();
  bus.emit('a', 2);
  await new Promise((later) => setTimeout(later));
  expect(heard).toEqual([1]);
});
