import { isAbsolute, join } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import type { FileSettings, Locations, Place } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import type { Fields } from '../../../events/effects.ts';
import { isFields } from '../../../events/fields.ts';
import { type Hook, label } from '../../../events/hook.ts';
import { settingsPacks } from '../../../events/pack.ts';
import type { Problem } from '../../../events/problems.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import { textOr } from '../../shared/claude-shaped/translation.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';
import {
  geminiAnswers as answers,
  readGeminiExit as readExit,
  geminiStrictness as strict,
} from './answers.ts';
import { can } from './can.ts';
import * as ownFields from './own-fields.ts';

/** Gemini CLI's tool names (0.61.0). */
const tools: ToolColumn = {
  shell: {
    names: ['run_shell_command'],
    args: {
      command: ['command'],
      description: ['description'],
      cwd: ['dir_path', 'directory'],
      background: ['is_background'],
    },
  },
  read: { names: ['read_file'], args: { path: ['file_path'], offset: ['start_line'] } },
  write: { names: ['write_file'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['replace'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['allow_multiple'] },
  },
  'multi-edit': null,
  patch: null,
  editor: null,
  glob: { names: ['glob'], args: { pattern: ['pattern'], path: ['dir_path'] } },
  grep: {
    names: ['grep_search', 'search_file_content'],
    args: { pattern: ['pattern'], path: ['dir_path'], glob: ['include_pattern', 'include'] },
  },
  fetch: { names: ['web_fetch'], args: { prompt: ['prompt'] } },
  task: { names: ['invoke_agent'], args: { prompt: ['prompt'], type: ['agent_name'] } },
  todo: { names: ['write_todos'], args: { todos: ['todos'] } },
  mcp: { prefix: 'mcp_', between: '_' },
};

const otherTools =
  'list_directory read_many_files google_web_search save_memory activate_skill ask_user enter_plan_mode exit_plan_mode get_internal_docs complete_task'.split(
    ' ',
  );

/** The result fields of Gemini. A failure is an `error` in the same field. */
const resultOf = (shown: string, error?: string): Fields => ({
  tool_response: {
    llmContent: shown,
    returnDisplay: shown,
    ...(error !== undefined && { error: { message: error, type: 'unknown' } }),
  },
});

/** Returns the error of a failed tool. Gemini does not treat a shell exit code as a failure. */
function errorIn({ tool_response: result }: Fields): string | undefined {
  const error = isPlain(result) ? result['error'] : undefined;
  if (error === undefined || error === null) return undefined;
  return isPlain(error) ? textOr(error['message'], JSON.stringify(error)) : String(error);
}

/** Returns what the model sees of a result: a text, a part, or a list of parts. */
function contentIn({ tool_response: result }: Fields): unknown[] {
  const shown = isPlain(result) ? result['llmContent'] : result;
  if (shown === undefined || shown === null) return [];
  return (Array.isArray(shown) ? shown : [shown]).map((part: unknown) => {
    if (typeof part === 'string') return { type: 'text', text: part };
    return isPlain(part) && typeof part['text'] === 'string' ? { type: 'text', text: part['text'] } : part;
  });
}

/**
 * The events of Gemini CLI (0.61.0, November 2026), one row each. Output that is not JSON is shown to the user on all
 * of them.
 */
const row = (event: ShapedEvent): ShapedEvent => ({ ...event, text: 'notice' });
const OWN = { on: 'other', matcher: null, block: null } as const;

const geminiEvents = {
  SessionStart: row({ on: 'session.start', matcher: 'source', block: null, context: true }),
  SessionEnd: row({ on: 'session.end', matcher: 'reason', block: null }),
  BeforeAgent: row({ on: 'prompt.submit', matcher: null, block: 'deny', context: true, stop: 'halt' }),
  AfterAgent: row({ on: 'turn.stop', matcher: null, block: 'resume', stop: 'halt' }),
  BeforeTool: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny', stop: 'halt' }),
  AfterTool: row({
    on: 'tool.after',
    also: 'tool.failed',
    matcher: 'tool_name',
    block: 'replace',
    context: true,
    stop: 'halt',
  }),
  Notification: row({ on: 'notification.sent', matcher: 'notification_type', block: null }),
  // Fires before every request to the model, even if nothing is compressed.
  PreCompress: row({ on: 'compaction.before', matcher: 'trigger', block: null }),
  BeforeModel: row(OWN),
  AfterModel: row(OWN),
  BeforeToolSelection: row(OWN),
} as const satisfies Record<string, ShapedEvent>;

export type GeminiWord = keyof typeof geminiEvents;

/** Applies `hooksConfig`: disables all hooks, or some by name. A project can only disable its own. */
function settle(hook: Hook, files: readonly FileSettings[]): { hook?: Hook; problem?: Problem } {
  const isOff = files.some(({ place, settings }) => {
    if (place.layer === 'project' && hook.origin.layer !== 'project') return false;
    const { disabled } = settings;
    return (
      settings['enabled'] === false ||
      (Array.isArray(disabled) &&
        disabled.some((name) => name === hook.extra?.['name'] || name === hook.label))
    );
  });
  if (!isOff) return { hook };
  const { file, line } = hook.origin;
  const message = 'does not run: hooksConfig disables it.';
  return { problem: { code: 'not-loaded', file, line, message, severity: 'warning' } };
}

const switches = {
  settings: 'hooksConfig',
  list: ['hooksConfig', 'disabled'],
  nameOf: (hook: Hook) => String(hook.extra?.['name'] ?? label(hook)),
  settle,
};

const packs = settingsPacks({
  dialect: 'gemini-cli',
  manifest: 'gemini-extension.json',
  project: /^\.gemini\/settings\.json$/,
});

/** Gemini CLI: its own events, tools and answers. */
export const geminiCli = makeShaped(
  {
    name: 'gemini-cli',
    shown: 'Gemini CLI',
    events: geminiEvents,
    tools,
    otherTools,
    can,
    places,
    matchers: { exactFields: true, invalidIsName: true },
    entry: {
      keys: ['type', 'command', 'name', 'description', 'timeout', 'env'],
      typed: true,
      timeout: { unit: 'ms', least: 1 },
      named: true,
      // The variables that Gemini removes from the environment of hooks are not fully documented, so all others are
      // passed.
      inherited: ['*', '!GEMINI_API_KEY', '!GOOGLE_API_KEY'],
    },
    reading: {
      decisions: () => ['block', 'deny'],
      asks: true,
      flat: 'no',
      changes: ['tool_input'],
      readExit,
      strict,
    },
    // A JSON answer decides for any exit code.
    writing: { refusal: 'document', place: 'specific', input: 'tool_input', replacement: 'with-context' },
    answers,
    spelling: {
      callId: null,
      result: { write: (text) => resultOf(text), read: contentIn, details: 'tool_response' },
      error: { write: (text) => resultOf(text, text), read: (fields) => errorIn(fields) ?? '' },
      trigger: 'trigger',
      usual: { notification: 'ToolPermission' },
    },
    casing: ownFields,
    projectVariable: 'GEMINI_PROJECT_DIR',
    variables: (cwd, session) => ({
      GEMINI_PROJECT_DIR: cwd,
      GEMINI_CWD: cwd,
      GEMINI_SESSION_ID: session,
      CLAUDE_PROJECT_DIR: cwd,
    }),
    timeoutMs: 60_000,
    unlike: (word, fields) =>
      word === 'AfterTool' && errorIn(fields) !== undefined ? 'tool.failed' : undefined,
  },
  { packs, pluginVariables: ['extensionPath'], switches },
);

/** Locations of Gemini CLI's hooks: user settings, project settings, and installed extensions. */
function places(locations: Locations): Place[] {
  const { home, cwd } = locations;
  const user = isAbsolute(home) ? [join(home, '.gemini', 'settings.json')] : [];
  const project = join(cwd, '.gemini', 'settings.json');
  return [
    ...user.map((file): Place => ({ layer: 'user', file })),
    ...(user.length === 0 ? [] : extensionPlaces(locations)),
    ...(user.includes(project) ? [] : [{ layer: 'project', file: project } satisfies Place]),
  ];
}

/** Extensions are folders of the user. A linked extension has only an entry there and is stored elsewhere. */
function extensionPlaces({ home, cwd, list = () => [], read = () => undefined }: Locations): Place[] {
  const folder = join(home, '.gemini', 'extensions');
  const fields = (file: string): Fields => {
    const text = read(file);
    const value = text === undefined ? undefined : readDocument(text, file).value;
    return isFields(value) ? value : {};
  };
  const names = list(folder);
  const enablement = names.length === 0 ? {} : fields(join(folder, 'extension-enablement.json'));
  return names.flatMap((name) => {
    const { type, source } = fields(join(folder, name, '.gemini-extension-install.json'));
    const root =
      type === 'link' && typeof source === 'string' && isAbsolute(source) ? source : join(folder, name);
    const extension = fields(join(root, 'gemini-extension.json'))['name'];
    if (typeof extension !== 'string' || !isEnabled(enablement[extension], cwd)) return [];
    return [
      {
        layer: 'user' as const,
        file: join(root, 'hooks', 'hooks.json'),
        plugin: { name: extension, root },
        vars: { extensionPath: root, workspacePath: cwd },
      },
    ];
  });
}

/**
 * Rules are folders; `!` disables, and `*` includes all subfolders. The last matching rule wins. Enabled by default.
 */
function isEnabled(entry: unknown, cwd: string): boolean {
  const rules = isFields(entry) && Array.isArray(entry['overrides']) ? entry['overrides'] : [];
  const rule = rules
    .filter((one) => typeof one === 'string')
    .findLast((one) => {
      const path = one.replace(/^!/, '').replace(/\/$/, '');
      if (!path.endsWith('*')) return cwd === path;
      const head = path.slice(0, -1);
      return `${cwd}/`.startsWith(head);
    });
  return rule?.startsWith('!') !== true;
}
