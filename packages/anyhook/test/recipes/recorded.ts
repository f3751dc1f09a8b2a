/** What each agent really sends at the moments that ready hooks are about, kept by its dialect; here with our words in it. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentName, AGENTS } from '../../src/agents/index.ts';
import { findDialect } from '../../src/dialects.ts';
import type { Dialect } from '../../src/events/dialect.ts';
import type { EventName } from '../../src/events/events.ts';
import type { ToolName } from '../../src/events/tools.ts';

const AGENT_FOLDERS = fileURLToPath(new URL('../../src/agents/', import.meta.url));

export type Moment = 'start' | 'prompt' | 'shell' | 'write' | 'ran' | 'wrote' | 'stop' | 'end';
/** Of the file of a moment: its name, or the name and what is changed in it where there is none of its own. */
type Source = string | { readonly file: string; readonly with: object } | { readonly native: object };
type Sources = { readonly folder: string } & { readonly [M in Moment]?: Source };

const written = { file_path: '<cwd>/a.txt', content: 'one\n' };

const PI_PROMPT = { native: { type: 'input', text: 'Please do the task.', source: 'interactive' } };

/** What cannot be found by the name of an event and of a tool: two words for one event, or documents that do not name theirs. */
const OWN: Readonly<Partial<Record<AgentName, Partial<Sources>>>> = {
  goose: { folder: 'goose/dialect/fixtures/1.52.0', shell: 'PreToolUse.shell', ran: 'PostToolUse.shell' },
  cursor: {
    folder: 'cursor/dialect/fixtures/published', // its documents: nobody here could record it
    prompt: { file: 'beforeSubmitPrompt', with: { prompt: 'Please do the task.' } },
    shell: { file: 'preToolUse', with: { tool_input: { command: 'echo hi' } } },
    write: { file: 'preToolUse', with: { tool_name: 'Write', tool_input: written } },
    ran: { file: 'postToolUse', with: { tool_input: { command: 'echo hi' }, tool_output: 'hi\n' } },
    wrote: { file: 'postToolUse', with: { tool_name: 'Write', tool_input: written, tool_output: '{}' } },
    stop: { file: 'stop', with: { loop_count: 0 } },
  },
  opencode: {
    prompt: 'chat.message',
    shell: 'tool.execute.before.bash',
    write: 'tool.execute.before.write',
    ran: 'tool.execute.after.bash',
    wrote: 'tool.execute.after.write',
    stop: 'event.session.idle',
  },
  pi: {
    folder: 'oh-my-pi/dialect/fixtures/recorded-pi',
    prompt: PI_PROMPT,
    stop: { native: { type: 'agent_before_settle' } },
  },
  'oh-my-pi': { prompt: PI_PROMPT, stop: { native: { type: 'session_stop' } } },
};

const MOMENTS: Readonly<Record<Moment, { readonly name: EventName; readonly tool?: ToolName }>> = {
  start: { name: 'session.start' },
  prompt: { name: 'prompt.submit' },
  shell: { name: 'tool.before', tool: 'shell' },
  write: { name: 'tool.before', tool: 'write' },
  ran: { name: 'tool.after', tool: 'shell' },
  wrote: { name: 'tool.after', tool: 'write' },
  stop: { name: 'turn.stop' },
  end: { name: 'session.end' },
};

/** A moment that is not here: no run of the agent has shown its event. */
function sourcesOf(agent: AgentName): Sources {
  const dialect = findDialect(AGENTS[agent].dialect)!;
  const folder = OWN[agent]?.folder ?? `${dialect.name}/dialect/fixtures/recorded`;
  const events = existsSync(join(AGENT_FOLDERS, folder)) ? eventsIn(folder, dialect) : [];
  const found = Object.entries(MOMENTS).flatMap(([moment, { name, tool }]) => {
    const names: readonly string[] | undefined =
      tool === undefined ? undefined : (dialect.tools[tool]?.names ?? []);
    const first = events.find(
      ({ event }) =>
        event.name === name &&
        (names === undefined || names.includes((event.payload as { tool: string }).tool)),
    );
    return first === undefined ? [] : [[moment, first.file]];
  });
  return { folder, ...Object.fromEntries(found), ...OWN[agent] };
}

/** Those of the main agent first; a session that begins anew after a compaction is not a start. */
function eventsIn(folder: string, { payload }: Dialect) {
  const files = readdirSync(join(AGENT_FOLDERS, folder))
    .filter((name) => !name.startsWith('_') && !name.includes('compact'))
    .map((name) => name.replace(/\.json$/, ''));
  const isOfSubagent = (file: string): number => Number(file.includes('in-subagent'));
  return files
    .toSorted((a, b) => isOfSubagent(a) - isOfSubagent(b))
    .flatMap((file) => {
      try {
        return [{ file, event: payload.read(nativeIn(folder, file)) }];
      } catch {
        return []; // it does not name its event
      }
    });
}
const nativeIn = (folder: string, file: string): object =>
  JSON.parse(readFileSync(join(AGENT_FOLDERS, folder, `${file}.json`), 'utf8')) as object;

/** What stands in the recordings, and is ours to say. */
export interface Words {
  readonly cwd: string;
  readonly session: string;
  readonly command?: string;
  readonly prompt?: string;
  readonly path?: string;
  readonly content?: string;
  readonly printed?: string;
}

export interface Sent {
  /** The agent's own word for the event. */
  readonly word: string;
  readonly session: string;
  readonly native: Record<string, unknown>;
}

/** Undefined: the agent was never seen to send this. */
export function recorded(agent: AgentName, moment: Moment, words: Words): Sent | undefined {
  const { folder, [moment]: source } = sourcesOf(agent);
  if (source === undefined) return undefined;
  const file = typeof source === 'string' ? source : 'file' in source ? source.file : '';
  const native: object =
    typeof source === 'object' && 'native' in source
      ? source.native
      : {
          ...nativeIn(folder, file),
          ...(typeof source === 'object' && source.with),
        };
  const filled = inAllTexts(native, (text) => withWords(text, words)) as Record<string, unknown>;
  const named = [filled['hook_event_name'], filled['event'], filled['type']].find(
    (one) => typeof one === 'string',
  );
  return { word: named ?? file.replace(/\.(?:bash|write)$/, ''), session: words.session, native: filled };
}

function inAllTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => inAllTexts(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inAllTexts(one, change)]));
}

const withWords = (text: string, { cwd, session, command, prompt, path, content, printed }: Words): string =>
  text
    .replaceAll(/<cwd>(?:\/sub)?|^\/project$/g, cwd)
    .replaceAll(/<[a-z-]*id>|^c-1$/g, session)
    .replace(/^echo hi$/, command ?? '$&')
    .replace(/Please do the task\.|SUBAGENT please echo/, prompt ?? '$&')
    .replaceAll(/\b[ab]\.txt\b/g, path ?? '$&')
    .replaceAll(/^\+?one$|(?<=^\+)one$|^one\n$/gm, (found) =>
      content === undefined ? found : found.replace('one', content),
    )
    .replaceAll(/\bhi\b/g, printed ?? '$&');
