/** A hook of every dialect for each of its words, as its own file or program would make it. */
import type { Dialect } from '../../src/canon/dialect.ts';
import { EVENT_NAMES, type EventName } from '../../src/canon/events.ts';
import type { Event } from '../../src/canon/event.ts';
import type { Hook } from '../../src/canon/hook.ts';
import { DIALECTS } from '../../src/assemble.ts';
import { hookFromDefinition } from '../../src/dialects/anyhook/definition.ts';
import { hooksFromCallbacks } from '../../src/dialects/claude-agent-sdk/definition.ts';
import type { ClaudeWord } from '../../src/dialects/claude-code/events.ts';
import { hookFor as claudeHook } from '../../src/dialects/claude-code/fixtures/hook-for.ts';
import { hookFor as codexHook } from '../../src/dialects/codex/fixtures/hook-for.ts';
import { hookFor as copilotHook } from '../../src/dialects/copilot-cli/fixtures/hook-for.ts';
import { hookFor as cursorHook } from '../../src/dialects/cursor/fixtures/hook-for.ts';
import { hookFor as geminiHook } from '../../src/dialects/gemini-cli/fixtures/hook-for.ts';
import { hookFor as grokHook } from '../../src/dialects/grok-build/fixtures/hook-for.ts';
import { hookFor as kimiHook } from '../../src/dialects/kimi-code/fixtures/hook-for.ts';
import { hookFor as qwenHook } from '../../src/dialects/qwen-code/fixtures/hook-for.ts';
import { hookFromAction } from '../../src/dialects/goose/definition.ts';
import type { GooseWord } from '../../src/dialects/goose/names.ts';
import { hookFromHandler } from '../../src/dialects/oh-my-pi/definition.ts';
import { configHook } from '../../src/dialects/opencode/config-hook.ts';
import { hookFromPlugin } from '../../src/dialects/opencode/definition.ts';
import { isConfigWord } from '../../src/dialects/opencode/names.ts';
import { hookFromEntry } from '../../src/dialects/opta/definition.ts';
import type { OptaEvent } from '../../src/dialects/opta/names.ts';
import { event, SAMPLES } from '../../src/testing/index.ts';

const origin = { layer: 'user', file: 'hooks.json', line: 1 } as const;
const COMMAND = { kind: 'command', run: { line: 'true' }, env: 'inherit' } as const;

const MAKERS: Readonly<Record<string, (word: string) => Hook>> = {
  anyhook: (word) => hookFromDefinition({ on: word as EventName }, word, origin, COMMAND).hook,
  'claude-agent-sdk': (word) => hooksFromCallbacks({ [word]: () => ({}) }).hooks[0]!,
  'claude-code': (word) => claudeHook(word as ClaudeWord),
  codex: (word) => codexHook(word),
  'copilot-cli': (word) => copilotHook(word),
  cursor: (word) => cursorHook(word),
  'gemini-cli': (word) => geminiHook(word),
  goose: (word) =>
    hookFromAction(
      { type: 'command', command: 'true' },
      { place: origin, event: word as GooseWord, group: 0, index: 0, line: 1 },
    ),
  'grok-build': (word) => grokHook(word),
  'kimi-code': (word) => kimiHook(word),
  'oh-my-pi': (on) => hookFromHandler({ on, nth: 1, origin, fn: () => {}, timeoutMs: 30_000 })!,
  opencode: (on) =>
    isConfigWord(on)
      ? configHook({ command: ['true'] }, { on, place: origin, index: 0, line: 1 })
      : hookFromPlugin({ on, origin, fn: () => {}, timeoutMs: 30_000 })!,
  opta: (word) =>
    hookFromEntry({ event: word as OptaEvent, command: 'true', protocol: 'json' }, { ...origin, index: 0 }),
  'qwen-code': (word) => qwenHook(word),
};

/** One word of one dialect: the hook that hears it and an event that it is about. */
export interface Seat {
  readonly dialect: Dialect;
  readonly hook: Hook;
  readonly about: Event;
}

export const SEATS: readonly Seat[] = DIALECTS.flatMap((dialect) =>
  EVENT_NAMES.flatMap((name) =>
    (dialect.words[name] ?? []).map((word) => ({
      dialect,
      hook: { ...MAKERS[dialect.name]!(word), onFailure: 'allow' },
      about: event(name, (name === 'other' ? { word, body: {} } : SAMPLES[name]) as never),
    })),
  ),
);
