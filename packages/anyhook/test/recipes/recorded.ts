/** What each agent really sends at the moments that ready hooks are about, kept by its dialect; here with our words in it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentName } from '../../src/agents/index.ts';

const DIALECTS = fileURLToPath(new URL('../../src/dialects/', import.meta.url));

export type Moment = 'start' | 'prompt' | 'shell' | 'write' | 'ran' | 'wrote' | 'stop' | 'end';
/** Of the file of a moment: its name, or the name and what is changed in it where there is none of its own. */
type Source = string | { readonly file: string; readonly with: object } | { readonly native: object };
type Sources = { readonly folder: string } & { readonly [M in Moment]?: Source };

const SHAPED = {
  start: 'SessionStart.startup',
  prompt: 'UserPromptSubmit',
  shell: 'PreToolUse.Bash',
  write: 'PreToolUse.Write',
  ran: 'PostToolUse.Bash',
  wrote: 'PostToolUse.Write',
  stop: 'Stop',
} as const;
const written = { file_path: '<cwd>/a.txt', content: 'one\n' };

const PI = {
  prompt: { native: { type: 'input', text: 'Please do the task.', source: 'interactive' } },
  shell: 'tool_call.bash',
  write: 'tool_call.write',
  ran: 'tool_result.bash',
  wrote: 'tool_result.write',
} as const;

/** A moment that is not here: no run of the agent has shown its event. */
export const RECORDED: Readonly<Record<AgentName, Sources>> = {
  'claude-code': { folder: 'claude-code/fixtures/recorded', ...SHAPED, end: 'SessionEnd.other' },
  codex: {
    folder: 'codex/fixtures/recorded',
    ...SHAPED,
    prompt: 'UserPromptSubmit.agent-in-subagent',
    write: 'PreToolUse.apply_patch',
    wrote: 'PostToolUse.apply_patch',
    end: 'SessionEnd.other',
  },
  'gemini-cli': {
    folder: 'gemini-cli/fixtures/recorded',
    start: 'SessionStart.startup',
    prompt: 'BeforeAgent',
    shell: 'BeforeTool.run_shell_command',
    write: 'BeforeTool.write_file',
    ran: 'AfterTool.run_shell_command',
    wrote: 'AfterTool.write_file',
    stop: 'AfterAgent',
    end: 'SessionEnd.exit',
  },
  goose: {
    folder: 'goose/fixtures/1.52.0',
    start: 'SessionStart',
    prompt: 'UserPromptSubmit',
    shell: 'PreToolUse.shell',
    write: 'PreToolUse.write',
    ran: 'PostToolUse.shell',
    wrote: 'PostToolUse.write',
    stop: 'Stop',
    end: 'SessionEnd',
  },
  'qwen-code': {
    folder: 'qwen-code/fixtures/recorded',
    ...SHAPED,
    shell: 'PreToolUse.run_shell_command',
    write: 'PreToolUse.write_file',
    ran: 'PostToolUse.run_shell_command',
    wrote: 'PostToolUse.write_file',
  },
  'kimi-code': { folder: 'kimi-code/fixtures/recorded', ...SHAPED },
  'copilot-cli': {
    folder: 'copilot-cli/fixtures/recorded',
    ...SHAPED,
    start: 'SessionStart.new',
    end: 'SessionEnd.complete',
  },
  'grok-build': {
    folder: 'grok-build/fixtures/recorded',
    start: 'SessionStart.new',
    prompt: 'UserPromptSubmit',
    shell: 'PreToolUse.run_terminal_command',
    write: 'PreToolUse.write',
    ran: 'PostToolUse.run_terminal_command',
    wrote: 'PostToolUse.write',
    stop: 'Stop.end_turn',
    end: 'SessionEnd.shutdown',
  },
  cursor: {
    folder: 'cursor/fixtures/published', // its documents: nobody here could record it
    start: 'sessionStart',
    prompt: { file: 'beforeSubmitPrompt', with: { prompt: 'Please do the task.' } },
    shell: { file: 'preToolUse', with: { tool_input: { command: 'echo hi' } } },
    write: { file: 'preToolUse', with: { tool_name: 'Write', tool_input: written } },
    ran: { file: 'postToolUse', with: { tool_input: { command: 'echo hi' }, tool_output: 'hi\n' } },
    wrote: { file: 'postToolUse', with: { tool_name: 'Write', tool_input: written, tool_output: '{}' } },
    stop: { file: 'stop', with: { loop_count: 0 } },
    end: 'sessionEnd',
  },
  opencode: {
    folder: 'opencode/fixtures/recorded',
    start: 'event.session.created',
    prompt: 'chat.message',
    shell: 'tool.execute.before.bash',
    write: 'tool.execute.before.write',
    ran: 'tool.execute.after.bash',
    wrote: 'tool.execute.after.write',
    stop: 'event.session.idle',
  },
  pi: {
    folder: 'oh-my-pi/fixtures/recorded-pi',
    ...PI,
    start: 'session_start.startup',
    stop: { native: { type: 'agent_before_settle' } },
    end: 'session_shutdown.quit',
  },
  'oh-my-pi': {
    folder: 'oh-my-pi/fixtures/recorded',
    ...PI,
    start: 'session_start',
    stop: { native: { type: 'session_stop' } },
    end: 'session_shutdown',
  },
};

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
  const { folder, [moment]: source } = RECORDED[agent];
  if (source === undefined) return undefined;
  const file = typeof source === 'string' ? source : 'file' in source ? source.file : '';
  const native: object =
    typeof source === 'object' && 'native' in source
      ? source.native
      : {
          ...(JSON.parse(readFileSync(join(DIALECTS, folder, `${file}.json`), 'utf8')) as object),
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
