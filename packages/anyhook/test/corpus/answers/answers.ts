/** The corpus of answers: cases as replies of a runner, and what came of them. See the README beside it. */
import { readFileSync } from 'node:fs';
import { anyhook } from '../../../src/dialects/anyhook/index.ts';
import { claudeCode } from '../../../src/dialects/claude-code/index.ts';
import { codex } from '../../../src/dialects/codex/index.ts';
import { geminiCli } from '../../../src/dialects/gemini-cli/index.ts';
import { goose } from '../../../src/dialects/goose/index.ts';
import { ohMyPi } from '../../../src/dialects/oh-my-pi/index.ts';
import { hookFromScript } from '../../../src/dialects/oh-my-pi/script.ts';
import { opta } from '../../../src/dialects/opta/index.ts';
import type { Dialect } from '../../../src/canon/dialect.ts';
import type { Event } from '../../../src/canon/event.ts';
import type { Hook } from '../../../src/canon/hook.ts';
import type { Outcome } from '../../../src/canon/outcome.ts';
import { event, SAMPLES } from '../../../src/testing/index.ts';

export type Came = 'refused' | 'marked' | 'doubt' | 'silent' | 'approved';
type Part = string | readonly [text: string, times: number];
interface Said {
  readonly stdout: readonly Part[];
  readonly encoding?: 'utf16le' | 'utf16be' | 'latin1';
  readonly code?: number | 'timed-out' | 'killed';
  readonly expect: Came | Readonly<Record<string, Came>>;
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

const DIALECTS = [anyhook, claudeCode, codex, geminiCli, goose, ohMyPi, opta];
const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const GUARDS = JSON.parse(read('guards.json')) as Readonly<Record<string, GuardWords>>;
const LINES = read('forgeries.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

export const CASES = LINES.length;
export const FORGERIES: readonly Forgery[] = LINES.flatMap((line) => inEveryDialect(line, line, line.case));
export const CONTROLS: readonly Forgery[] = LINES.flatMap((line) =>
  inEveryDialect(line, { code: line.code ?? 0, ...line, ...line.control }, `control: ${line.case}`),
);

function inEveryDialect({ event: name = 'tool.before' }: Line, said: Said, title: string): Forgery[] {
  return DIALECTS.flatMap((dialect) => {
    const { words, deny, allow } = GUARDS[dialect.name]!;
    const word = words[name];
    if (word === undefined) return [];
    const fill = (text: string) =>
      text
        .replaceAll('{deny}', deny)
        .replaceAll('{allow}', allow)
        .replaceAll("{'deny'}", deny.replaceAll('"', "'"))
        .replaceAll('{deny:inside}', deny.slice(0, -1))
        .replaceAll('{allow:inside}', allow.slice(0, -1));
    const text = said.stdout.map((part) =>
      typeof part === 'string' ? fill(part) : fill(part[0]).repeat(part[1]),
    );
    const expect =
      typeof said.expect === 'string' ? said.expect : (said.expect[dialect.name] ?? said.expect['else']!);
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

/** A guard of the dialect that runs this program, whose failures let pass. */
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

/** As its settings would make it. */
function settled(dialect: Dialect, word: string): Hook {
  if (dialect === ohMyPi)
    return hookFromScript({
      path: '/h/pre/x.sh',
      type: 'pre',
      tool: '*',
      level: 'user',
      name: 'x.sh',
    } as never);
  const group = [{ hooks: [{ type: 'command', command: 'true' }] }];
  const hooks =
    dialect === anyhook
      ? { [word]: [{ run: 'true' }] }
      : dialect === opta
        ? [{ event: word, command: 'true', protocol: 'json' }]
        : { [word]: group };
  const place = { layer: 'user', file: '/h/settings.json' } as const;
  const found = dialect.config.read(JSON.stringify({ hooks }), place);
  if (found.hooks.length !== 1)
    throw new Error(`${dialect.name} reads no hook: ${JSON.stringify(found.problems)}`);
  return found.hooks[0]!;
}

export function cameOf({ verdict, runs, flow }: Outcome): Came {
  if (verdict === 'deny' || verdict === 'ask' || flow.halt !== undefined) return 'refused';
  if (verdict === 'allow') return 'approved';
  const [run] = runs;
  if (run?.failedOpen === true) return 'marked';
  return run?.answer?.notes?.doubt === undefined ? 'silent' : 'doubt';
}
