/** Loads the corpus of answers: replies of a runner with expected results. See the README in this folder. */

import { readFileSync } from 'node:fs';
import { hookFromScript } from '../../../src/agents/oh-my-pi/dialect/script.ts';
import { DIALECTS } from '../../../src/dialects.ts';
import type { Dialect } from '../../../src/events/dialect.ts';
import type { Event } from '../../../src/events/event.ts';
import type { Hook } from '../../../src/events/hook.ts';
import type { Outcome } from '../../../src/events/outcome.ts';
import { event, SAMPLES } from '../../../src/testing/index.ts';

export type Came = 'refused' | 'marked' | 'doubt' | 'silent' | 'approved';
/** `allowed` is the result of an approval in the dialect. */
type Expected = Came | 'allowed';
type Part = string | readonly [text: string, times: number];
interface Said {
  readonly stdout: readonly Part[];
  readonly encoding?: 'utf16le' | 'utf16be' | 'latin1';
  readonly code?: number | 'timed-out' | 'killed';
  readonly expect: Expected | Readonly<Record<string, Expected>>;
}
interface Line extends Said {
  readonly case: string;
  readonly event?: 'tool.before' | 'prompt.submit';
  readonly control: Partial<Said> & Pick<Said, 'expect'>;
}
interface GuardWords {
  readonly words: Readonly<Record<string, string>>;
  readonly deny: string;
  readonly allow: string;
  readonly allowed: Came;
}

/** One case in one dialect. */
export interface Forgery {
  readonly title: string;
  readonly dialect: Dialect;
  readonly word: string;
  readonly about: Event;
  readonly stdout: Buffer;
  readonly code: number | 'timed-out' | 'killed';
  readonly expect: Came;
}

/** Hooks of these dialects are functions. They return values instead of printing them. */
const RETURNING = ['claude-agent-sdk', 'opencode'];
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const GUARDS = JSON.parse(read('guards.json')) as Readonly<Record<string, GuardWords>>;
const LINES = read('forgeries.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

/** Ways in which people and programs damage a document: `{deny:upper}`. */
const SPOILT: Readonly<Record<string, (document: string) => string>> = {
  inside: (said) => said.slice(0, -1),
  quoted: (said) => said.replaceAll('"', "'"),
  curly: (said) => said.replaceAll(/"([^"]*)"/g, '\u201c$1\u201d'),
  bare: (said) => said.replaceAll(/"(\w+)":/g, '$1: '),
  encoded: (said) => JSON.stringify(said),
  listed: (said) => `[${said}]`,
  wrapped: (said) => `{"result":${said}}`,
  pretty: (said) => JSON.stringify(JSON.parse(said), null, 2),
  escaped: (said) =>
    said.replaceAll(/"(\w)(\w*)":/g, (_, first: string, rest: string) => `"${escaped(first)}${rest}":`),
  capital: (said) =>
    said.replaceAll(/"(\w)(\w*)":/g, (_, first: string, rest: string) => `"${first.toUpperCase()}${rest}":`),
  upper: (said) => said.replaceAll(DECISION, (_, value: string) => `:${value.toUpperCase()}`),
  misspelt: (said) => said.replaceAll(DECISION, ':"refuse"'),
  blank: (said) => said.replaceAll(DECISION, ':""'),
  numbered: (said) => said.replaceAll(DECISION, ':7'),
  nested: (said) => said.replaceAll(DECISION, (_, value: string) => `:{"value":${value}}`),
  mapped: (said) => said.replaceAll(DECISION, (_, value: string) => `:[${value}]`),
};
const DECISION = /:("(?:deny|block|allow|approve)"|true|false)/g;
const escaped = (letter: string): string => `\\u00${letter.charCodeAt(0).toString(16)}`;

export const FORGERIES: readonly Forgery[] = LINES.flatMap((line) => inEveryDialect(line, line, line.case));
export const CONTROLS: readonly Forgery[] = LINES.flatMap((line) =>
  inEveryDialect(line, { code: line.code ?? 0, ...line, ...line.control }, `control: ${line.case}`),
);

function inEveryDialect({ event: name = 'tool.before' }: Line, said: Said, title: string): Forgery[] {
  return DIALECTS.filter((one) => !RETURNING.includes(one.name)).flatMap((dialect) => {
    const { words, deny, allow, allowed } = GUARDS[dialect.name]!;
    const word = words[name];
    if (word === undefined) return [];
    const fill = (text: string) =>
      text.replaceAll(/\{(deny|allow)(?::(\w+))?\}/g, (_, document: 'deny' | 'allow', how?: string) => {
        const said = document === 'deny' ? deny : allow;
        return how === undefined ? said : SPOILT[how]!(said);
      });
    const text = said.stdout.map((part) =>
      typeof part === 'string' ? fill(part) : fill(part[0]).repeat(part[1]),
    );
    const expected =
      typeof said.expect === 'string' ? said.expect : (said.expect[dialect.name] ?? said.expect['else']!);
    const expect = expected === 'allowed' ? allowed : expected;
    return {
      title: `${dialect.name}: ${title}`,
      dialect,
      word,
      about: event(name, SAMPLES[name] as never),
      stdout: encoded(text.join(''), said.encoding),
      code: said.code ?? 0,
      // A prompt cannot be approved.
      expect: expect === 'approved' && name === 'prompt.submit' ? 'silent' : expect,
    };
  });
}

function encoded(text: string, encoding: Said['encoding']): Buffer {
  if (encoding !== 'utf16be') return Buffer.from(text, encoding ?? 'utf8');
  return Buffer.from(text, 'utf16le').swap16();
}

/** A guard of the dialect that runs this program and whose failures allow the call. */
export function guardOf(
  { dialect, word }: Forgery,
  argv: readonly [string, ...string[]],
  timeoutMs: number,
): Hook {
  return {
    ...settled(dialect, word),
    run: { kind: 'command', run: { argv }, env: 'inherit' },
    onFailure: 'allow',
    timeoutMs,
  };
}

/** The hook as its settings would create it. */
function settled(dialect: Dialect, word: string): Hook {
  if (dialect.name === 'oh-my-pi')
    return hookFromScript({
      path: '/h/pre/x.sh',
      type: 'pre',
      tool: '*',
      level: 'user',
      name: 'x.sh',
    } as never);
  const place = { layer: 'user', file: '/h/settings.json' } as const;
  const found = dialect.config.read(settingsOf(dialect.name, word), place);
  if (found.hooks.length !== 1)
    throw new Error(`${dialect.name} reads no hook: ${JSON.stringify(found.problems)}`);
  return found.hooks[0]!;
}
function settingsOf(dialect: string, word: string): string {
  switch (dialect) {
    case 'anyhook':
      return JSON.stringify({ hooks: { [word]: [{ run: 'true' }] } });
    case 'opta':
      return JSON.stringify({ hooks: [{ event: word, command: 'true', protocol: 'json' }] });
    case 'kimi-code':
      return `[[hooks]]\nevent = "${word}"\ncommand = "true"\n`;
    case 'copilot-cli':
      return JSON.stringify({ version: 1, hooks: { [word]: [{ type: 'command', bash: 'true' }] } });
    default:
      return JSON.stringify({ hooks: { [word]: [{ hooks: [{ type: 'command', command: 'true' }] }] } });
  }
}

export function cameOf({ verdict, runs, flow }: Outcome): Came {
  if (verdict === 'deny' || verdict === 'ask' || flow.halt !== undefined) return 'refused';
  if (verdict === 'allow') return 'approved';
  const [run] = runs;
  if (run?.failedOpen === true) return 'marked';
  return run?.answer?.notes?.doubt === undefined ? 'silent' : 'doubt';
}
