/** A hook for every event of every dialect, as its own file or program would create it. */

import { hookFromDefinition } from '../../src/agents/anyhook/dialect/definition.ts';
import { hooksFromCallbacks } from '../../src/agents/claude-agent-sdk/dialect/definition.ts';
import type { ClaudeWord } from '../../src/agents/claude-code/dialect/events.ts';
import { hookFor as claudeHook } from '../../src/agents/claude-code/dialect/fixtures/hook-for.ts';
import { hookFor as codexHook } from '../../src/agents/codex/dialect/fixtures/hook-for.ts';
import { hookFor as copilotHook } from '../../src/agents/copilot-cli/dialect/fixtures/hook-for.ts';
import { hookFor as cursorHook } from '../../src/agents/cursor/dialect/fixtures/hook-for.ts';
import { hookFor as geminiHook } from '../../src/agents/gemini-cli/dialect/fixtures/hook-for.ts';
import { hookFromAction } from '../../src/agents/goose/dialect/definition.ts';
import type { GooseWord } from '../../src/agents/goose/dialect/names.ts';
import { hookFor as grokHook } from '../../src/agents/grok-build/dialect/fixtures/hook-for.ts';
import { hookFor as kimiHook } from '../../src/agents/kimi-code/dialect/fixtures/hook-for.ts';
import { hookFromHandler } from '../../src/agents/oh-my-pi/dialect/definition.ts';
import { configHook } from '../../src/agents/opencode/dialect/config.ts';
import { hookFromPlugin } from '../../src/agents/opencode/dialect/definition.ts';
import { isConfigWord } from '../../src/agents/opencode/dialect/names.ts';
import { hookFromEntry } from '../../src/agents/opta/dialect/definition.ts';
import type { OptaEvent } from '../../src/agents/opta/dialect/names.ts';
import { hookFor as qwenHook } from '../../src/agents/qwen-code/dialect/fixtures/hook-for.ts';
import { DIALECTS } from '../../src/dialects.ts';
import type { Dialect } from '../../src/events/dialect.ts';
import type { Event } from '../../src/events/event.ts';
import { EVENT_NAMES, type EventName } from '../../src/events/events.ts';
import type { Hook } from '../../src/events/hook.ts';
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

/** One event of one dialect: a hook that listens to it, and an example event. */
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
