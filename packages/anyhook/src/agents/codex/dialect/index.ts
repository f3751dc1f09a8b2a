import { isAbsolute, join } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import type { Locations, Place } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';
import { settingsPacks } from '../../../events/pack.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';
import { codexAnswers as answers, codexStrictness as strict } from './answers.ts';
import { can } from './can.ts';
import * as ownFields from './own-fields.ts';

/** Variables with the plugin folder. Codex also sets the name of Claude Code. */
const PLUGIN_ROOTS = ['PLUGIN_ROOT', 'CLAUDE_PLUGIN_ROOT'];
const PLUGIN_DATA = ['PLUGIN_DATA', 'CLAUDE_PLUGIN_DATA'];

function places(locations: Locations): Place[] {
  const { home, cwd, env } = locations;
  const named = env['CODEX_HOME'] ?? '';
  const base = isAbsolute(named) ? named : isAbsolute(home) ? join(home, '.codex') : undefined;
  const user = base === undefined ? [] : [join(base, 'hooks.json')];
  const project = join(cwd, '.codex', 'hooks.json');
  return [
    ...user.map((file): Place => ({ layer: 'user', file })),
    ...(base === undefined ? [] : pluginPlaces(base, locations)),
    ...(user.includes(project) ? [] : [{ layer: 'project', file: project } satisfies Place]),
  ];
}

/** Plugins that `config.toml` enables, in Codex's install folder: marketplace, name, version. */
function pluginPlaces(base: string, locations: Locations): Place[] {
  const { list = () => [], read = () => undefined } = locations;
  return enabledPlugins(read(join(base, 'config.toml')) ?? '').flatMap(({ id, name, market }) => {
    const folder = join(base, 'plugins', 'cache', market, name);
    const version = list(folder).toSorted(byVersion).at(-1);
    if (version === undefined) return [];
    const root = join(folder, version);
    const data = join(base, 'plugins', 'data', `${name}-${market}`);
    const vars = Object.fromEntries([
      ...PLUGIN_ROOTS.map((variable) => [variable, root]),
      ...PLUGIN_DATA.map((variable) => [variable, data]),
    ]) as Record<string, string>;
    return hookFiles(root, read).map((file): Place => ({
      layer: 'user',
      file,
      vars,
      plugin: { name: id, root },
    }));
  });
}

const byVersion = (a: string, b: string): number => a.localeCompare(b, undefined, { numeric: true });

/** `[plugins."name@marketplace"]` with `enabled` not false. */
function enabledPlugins(toml: string): { id: string; name: string; market: string }[] {
  const sections = toml.split(/^[ \t]*(?=\[)/m);
  return sections.flatMap((section) => {
    const [, id = ''] = /^\[plugins\.(?:"([^"]+)"|'[^']+')\]/.exec(section) ?? [];
    const [, name, market] = /^([\w.-]+)@([\w.-]+)$/.exec(id) ?? [];
    if (name === undefined || market === undefined || /^[ \t]*enabled[ \t]*=[ \t]*false\b/m.test(section))
      return [];
    return [{ id, name, market }];
  });
}

/** The default file, and those in the manifest. */
function hookFiles(root: string, read: (file: string) => string | undefined): string[] {
  const manifest = join(root, '.codex-plugin', 'plugin.json');
  const text = read(manifest);
  const value = text === undefined ? undefined : readDocument(text, manifest).value;
  const hooks = isFields(value) ? value['hooks'] : undefined;
  const named = (Array.isArray(hooks) ? hooks : [hooks]).flatMap((one: unknown) => {
    if (isFields(one)) return [manifest];
    return typeof one === 'string' && !isAbsolute(one) && !one.split('/').includes('..')
      ? [join(root, one)]
      : [];
  });
  return [...new Set([join(root, 'hooks', 'hooks.json'), ...named])];
}

/** The events of Codex CLI (0.166.0, November 2026), one row each. The names are those of Claude Code. */
const row = (event: ShapedEvent): ShapedEvent => event;
const TOLD = { context: true, plain: true } as const;
const STOP = { block: 'resume', stop: 'halt', text: 'error' } as const;
const OWN = { on: 'other', matcher: null, block: null } as const;

const codexEvents = {
  SessionStart: row({ ...TOLD, on: 'session.start', matcher: 'source', block: null, stop: 'halt' }),
  SessionEnd: row({
    on: 'session.end',
    matcher: 'reason',
    block: null,
    silent: true,
    timeouts: { usual: 1_000, longest: 3_000 },
    waits: true,
  }),
  UserPromptSubmit: row({ ...TOLD, on: 'prompt.submit', matcher: null, block: 'deny', stop: 'halt' }),
  PreToolUse: row({ on: 'tool.before', matcher: 'tool_name', block: 'deny', context: true }),
  PermissionRequest: row({ on: 'tool.permission', matcher: 'tool_name', block: 'deny', silent: true }),
  PostToolUse: row({
    on: 'tool.after',
    matcher: 'tool_name',
    block: 'replace',
    context: true,
    stop: 'halt',
  }),
  SubagentStart: row({ ...TOLD, on: 'subagent.start', matcher: 'agent_type', block: null }),
  SubagentStop: row({ ...STOP, on: 'subagent.stop', matcher: 'agent_type' }),
  Stop: row({ ...STOP, on: 'turn.stop', matcher: null }),
  PreCompact: row({ on: 'compaction.before', matcher: 'trigger', block: null, stop: 'cancel' }),
  PostCompact: row({ on: 'compaction.after', matcher: 'trigger', block: null }),
  Interrupt: row({ ...OWN, timeouts: { usual: 1_000, longest: 3_000 } }),
  // Undocumented: Codex only logs their answers.
  PreModelRequest: row({ ...OWN, silent: true }),
  PostModelRequest: row({ ...OWN, silent: true }),
} as const satisfies Record<string, ShapedEvent>;

export type CodexWord = keyof typeof codexEvents;

/**
 * Codex's tool names for hooks (0.166.0). `apply_patch` writes every file, and its only argument `command` is the
 * patch. Writes by other agents' tools are passed to Codex hooks as a patch.
 */
const tools: ToolColumn = {
  shell: { names: ['Bash'], args: { command: ['command'], description: ['description'] } },
  read: null,
  write: { names: ['apply_patch'], args: {}, as: 'patch' },
  edit: { names: ['apply_patch'], args: {}, as: 'patch' },
  'multi-edit': null,
  patch: { names: ['apply_patch'], args: { patch: ['command'] } },
  editor: null,
  glob: null,
  grep: null,
  fetch: null,
  task: { names: ['spawn_agent'], args: { prompt: ['message'] } },
  todo: { names: ['update_plan'], args: { todos: ['plan'] } },
};

const otherTools =
  'Edit Write view_image web_search exec_command write_stdin shell local_shell wait_agent close_agent send_input'.split(
    ' ',
  );

const packs = settingsPacks({
  dialect: 'codex',
  manifest: '.codex-plugin/plugin.json',
  marketplace: '.agents/plugins/marketplace.json',
  project: /^\.codex\/hooks\.json$/,
});

/** Codex CLI: the names of Claude Code with stricter reading. */
export const codex = makeShaped(
  {
    name: 'codex',
    shown: 'Codex',
    events: codexEvents,
    tools,
    otherTools,
    can,
    places,
    entry: {
      keys: [
        'type',
        'command',
        'commandWindows',
        'command_windows',
        'timeout',
        'async',
        'statusMessage',
        'additionalContextLimit',
      ],
      typed: true,
      timeout: { unit: 's', least: 1 },
    },
    reading: {
      decisions: () => ['block'],
      flat: 'no',
      changes: ['updatedInput'],
      strict,
    },
    // Every version obeys exit 2 with a reason on stderr.
    writing: { refusal: 'exit', place: 'specific', input: 'updatedInput', replacement: 'alone' },
    answers,
    spelling: {
      callId: 'tool_use_id',
      result: {
        write: (text) => ({ tool_response: text }),
        read: ({ tool_response: response }) => contentOf(response),
      },
      trigger: 'trigger',
      usual: { agentType: 'default' },
    },
    casing: ownFields,
    variables: () => ({}),
    timeoutMs: 600_000,
  },
  { packs, pluginVariables: PLUGIN_ROOTS },
);

/** Returns what the model sees of a result: one text, or the content of an MCP tool. */
function contentOf(result: unknown): unknown[] {
  if (result === undefined || result === null) return [];
  if (Array.isArray(result)) return result;
  if (isPlain(result) && Array.isArray(result['content'])) return result['content'];
  return [{ type: 'text', text: typeof result === 'string' ? result : JSON.stringify(result) }];
}
