/**
 * Hand-written attacks and typos that random changes do not find: settings that silently disable a guard, and answers
 * that silently lose a refusal. Regressions: settings nested too deep, invalid times, misspelled keys before a
 * refusal.
 */

import { expect, test } from 'vitest';
import { findDialect } from '../../src/dialects.ts';
import type { ConfigRead } from '../../src/events/dialect.ts';
import type { Reply } from '../../src/events/exchange.ts';
import { control, result } from './results.ts';
import { SEATS } from './seats.ts';

const grouped = (word: string) =>
  JSON.stringify({
    hooks: { [word]: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'guard' }] }] },
  });
/** A valid file of each dialect with one guard. */
const SOUND: Readonly<Record<string, readonly [file: string, text: string]>> = {
  anyhook: ['/h/.config/anyhook/hooks.json', '{"hooks":{"tool.before":[{"run":"guard"}]}}'],
  'claude-code': ['/h/.claude/settings.json', grouped('PreToolUse')],
  codex: ['/h/.codex/hooks.json', grouped('PreToolUse')],
  'gemini-cli': ['/h/.gemini/settings.json', grouped('BeforeTool')],
  goose: ['/h/.config/goose/hooks.json', grouped('PreToolUse')],
  'grok-build': ['/h/.grok/hooks/a.json', grouped('PreToolUse')],
  'qwen-code': ['/h/.qwen/settings.json', grouped('PreToolUse')],
  'copilot-cli': [
    '/h/.copilot/hooks/a.json',
    '{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"guard"}]}}',
  ],
  cursor: ['/h/.cursor/hooks.json', '{"version":1,"hooks":{"preToolUse":[{"command":"guard"}]}}'],
  'kimi-code': ['/h/.kimi-code/config.toml', '[[hooks]]\nevent = "PreToolUse"\ncommand = "guard"\n'],
  opta: ['/h/.opta/config.json', '{"hooks":[{"event":"tool.pre","command":"guard"}]}'],
  opencode: [
    '/h/.config/opencode/opencode.json',
    '{"experimental":{"hook":{"session_completed":[{"command":["guard"]}]}}}',
  ],
};
const EVENT = /PreToolUse|BeforeTool|preToolUse|tool\.before|tool\.pre|session_completed/;
const withHooks = (text: string, change: (hooks: unknown) => unknown): string => {
  if (!text.startsWith('{')) return text;
  const said = JSON.parse(text) as { readonly hooks?: unknown };
  return said.hooks === undefined ? text : JSON.stringify({ ...said, hooks: change(said.hooks) });
};
const perEvent = (hooks: unknown, change: (list: unknown) => unknown): unknown =>
  Array.isArray(hooks)
    ? change(hooks)
    : Object.fromEntries(Object.entries(hooks as object).map(([word, list]) => [word, change(list)]));

/** A change that leaves the text unchanged does not apply to the file. */
const TWISTS: Readonly<Record<string, (text: string) => string>> = {
  'UTF-16 with its mark': (text) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]).toString('utf8'),
  'UTF-16 without it': (text) => Buffer.from(text, 'utf16le').toString('utf8'),
  'a NUL behind it': (text) => `${text}\0`,
  'a NUL in the key': (text) => text.replace('hook', 'hook\\u0000'),
  'another document before it': (text) => `{}${text}`,
  'another document behind it': (text) => `${text}\n{"hooks":{}}`,
  'a letter of another alphabet in the key': (text) =>
    text.replace(/hooks?/, (key) => key.replace('o', '\u043e')),
  'a letter that nobody sees in the key': (text) =>
    text.replace(/"hooks?"/, (key) => key.replace('h', '\u200bh')),
  'a wide letter in the key': (text) => text.replace('hooks', '\uff48ooks'),
  'a space before the key': (text) => text.replace(/"(hooks?)"/, '" $1"'),
  'a space behind the key': (text) => text.replace(/"(hooks?)"/, '"$1 "'),
  'the key in capitals': (text) => text.replace(/hooks?/, (key) => key.toUpperCase()),
  'an underscore in the key': (text) => text.replace('hooks', 'hook_s'),
  'a space behind the event': (text) => text.replace(EVENT, '$& '),
  'the event in capitals': (text) => text.replace(EVENT, (word) => word.toUpperCase()),
  'a letter that nobody sees in the event': (text) => text.replace(EVENT, '\u200d$&'),
  'all of it one level deeper': (text) => (text.startsWith('{') ? `{"settings":${text}}` : text),
  'all of it in a list': (text) => `[${text}]`,
  'all of it as a text': (text) => JSON.stringify(text),
  'hooks as a text': (text) => withHooks(text, (hooks) => JSON.stringify(hooks)),
  'hooks are null': (text) => withHooks(text, () => null),
  'hooks are false': (text) => withHooks(text, () => false),
  'hooks in hooks': (text) => withHooks(text, (hooks) => ({ hooks })),
  'hooks in a list': (text) => withHooks(text, (hooks) => [hooks]),
  'an entry instead of a list': (text) =>
    withHooks(text, (hooks) => perEvent(hooks, (list) => (list as unknown[])[0])),
  'a list in a list': (text) => withHooks(text, (hooks) => perEvent(hooks, (list) => [list])),
  'an object with numbers instead of a list': (text) =>
    withHooks(text, (hooks) => perEvent(hooks, (list) => ({ ...(list as unknown[]) }))),
  'an empty command': (text) => text.replace('"guard"', '""'),
  'a command of spaces': (text) => text.replace('"guard"', '"   "'),
  'no command': (text) => text.replace('"guard"', 'null'),
  'a time of nothing': (text) => text.replace('"guard"', '"guard","timeout":0'),
  'a time that is none': (text) => text.replace('"guard"', '"guard","timeout":0.0001'),
  'a time before the beginning': (text) => text.replace('"guard"', '"guard","timeout":-1'),
  'a matcher in a list': (text) => text.replace('"Bash"', '["Bash"]'),
  'one bracket instead of two': (text) => text.replace('[[hooks]]', '[hooks]'),
  'a table of another name': (text) => text.replace('[[hooks]]', '[[settings.hooks]]'),
};
/** Goose reads a zero timeout as its default, and Opta and Claude Code read a short one as milliseconds. */
const kept = ({ hooks, modules }: ConfigRead) =>
  JSON.stringify([hooks.map(({ on, match, run }) => [on, match, run]), modules.length]);
const hasTime = ({ hooks }: ConfigRead): boolean => hooks.every(({ timeoutMs }) => timeoutMs >= 1);

function silent(read: (name: string, text: string) => ConfigRead): { wrong: string[]; cells: number } {
  const wrong: string[] = [];
  let cells = 0;
  for (const [name, [, text]] of Object.entries(SOUND)) {
    const sound = read(name, text);
    for (const [what, twist] of Object.entries(TWISTS)) {
      const twisted = twist(text);
      if (twisted === text) continue;
      cells++;
      const came = read(name, twisted);
      if (came.problems.length === 0 && (kept(came) !== kept(sound) || !hasTime(came)))
        wrong.push(`${name}: ${what}`);
    }
  }
  return { wrong, cells };
}
const readOf = (name: string, text: string): ConfigRead =>
  findDialect(name)!.config!.read(text, { layer: 'user', file: SOUND[name]![0] });

test('no manual change of a settings file silently removes its guard', () => {
  for (const [name, [, text]] of Object.entries(SOUND))
    expect([name, readOf(name, text).problems]).toEqual([name, []]);
  const { wrong, cells } = silent(readOf);
  result(
    'G17',
    `${Object.keys(TWISTS).length} twists by hand, ${Object.keys(SOUND).length} dialects: ${cells} cells`,
    `${wrong.length} guards lost without a problem`,
  );
  expect(wrong).toEqual([]);
  const quiet = silent((name, text) => ({ ...readOf(name, text), problems: [] }));
  control('G17', 'the same twists, read without a word', `${quiet.wrong.length} of ${cells} lost a guard`);
  expect(quiet.wrong.length).toBeGreaterThan(cells / 2);
});

const NO = '{"decision":"block","reason":"no"}';
const ANSWERS: Readonly<Record<string, string>> = {
  'UTF-16 with its mark': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(NO, 'utf16le')]).toString(
    'utf8',
  ),
  'UTF-16 without it': Buffer.from(NO, 'utf16le').toString('utf8'),
  'UTF-16 from its other end': Buffer.concat([
    Buffer.from([0xfe, 0xff]),
    Buffer.from(NO, 'utf16le').swap16(),
  ]).toString('utf8'),
  'a NUL before it': `\0${NO}`,
  'a NUL behind it': `${NO}\0`,
  'a letter before it that nobody sees': `\u200b${NO}`,
  'a hard space before it': `\u00a0${NO}`,
  'colours around it': `\u001b[31m${NO}\u001b[0m`,
  'two marks before it': `\ufeff\ufeff${NO}`,
  'a fence around it': `\`\`\`json\n${NO}\n\`\`\``,
  'as JavaScript': "{decision: 'block', reason: 'no'}",
  'as Python': "{'decision': 'block', 'reason': 'no'}",
  'a line of JSON before it': `{"a":1}\n${NO}\n`,
  'in a list': `[${NO}]`,
  'as a text': JSON.stringify(NO),
  'as an event of a stream': `data: ${NO}\n\n`,
  'a semicolon behind it': `${NO};`,
  'a letter of another alphabet in the word': '{"decision":"bl\u043eck","reason":"no"}',
  'a capital in the key': '{"Decision":"block","reason":"no"}',
  'a space in the key': '{"decision ":"block","reason":"no"}',
  'a letter missing in the key': '{"decison":"block","reason":"no"}',
  'an underscore in the key': '{"decis_ion":"deny"}',
  'a space in the word': '{"decision":" block","reason":"no"}',
  'one level deeper': `{"output":${NO}}`,
  'a letter missing further down': '{"hookSpecificOutput":{"permissionDecison":"deny"}}',
  'an underscore further down': '{"hookSpecificOutput":{"permission_decision":"deny"}}',
  'as HTML': '{&quot;decision&quot;:&quot;block&quot;}',
  'a return before it': `working...\r${NO}`,
  'twice, the second approves': '{"decision":"block","decision":"approve"}',
};

test('no manual change of a refusal is lost without a mark', () => {
  const wrong: string[] = [];
  const seats = SEATS.filter(
    ({ about, hook }) => about.name === 'tool.before' && hook.run.kind === 'command',
  );
  for (const { dialect, hook, about } of seats)
    for (const [what, stdout] of Object.entries(ANSWERS)) {
      const reply: Reply = { kind: 'exited', code: 0, stdout, stderr: '' };
      const { effects, failed, notes } = dialect.output.read(reply, about, hook);
      const isHeard = effects.some(({ kind }) => kind === 'deny' || kind === 'ask');
      const isApproved = effects.some(({ kind }) => kind === 'allow');
      if (isApproved || (!isHeard && failed === undefined && notes?.doubt === undefined))
        wrong.push(`${dialect.name} ${hook.on}: ${what}`);
    }
  result(
    'G1',
    `${Object.keys(ANSWERS).length} twists of a refusal by hand, ${seats.length} readers`,
    `${wrong.length} lost without a mark or taken for consent`,
  );
  expect(wrong).toEqual([]);
});
