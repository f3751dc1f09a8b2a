import { makeShaped } from '../../shared/command-shaped/make-dialect.ts';
import { codexAnswers as answers, codexStrictness as strict } from './answers.ts';
import { can } from './can.ts';
import * as ownFields from './own-fields.ts';
import { settingsPacks } from '../../../events/pack.ts';
import { isPlain } from '../../../events/changes.ts';
import type { ToolColumn } from '../../../events/tools.ts';
import type { ShapedEvent } from '../../shared/command-shaped/terms.ts';
import { isAbsolute, join } from 'node:path';
import type { Locations, Place } from '../../../events/dialect.ts';
import { readDocument } from '../../../events/document.ts';
import { isFields } from '../../../events/fields.ts';

/** Variables that name the folder of a plugin; Codex sets Claude Code's name too. */
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

/** Plugins that `config.toml` switches on, in the folder where Codex installs them: marketplace, name, version. */
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

/** The usual file, and those that the manifest names or holds. */
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

/** Codex CLI's events, one row each (0.166.0, November 2026): Claude Code's words. */
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
  // Undocumented: their answers are only written to a log.
  PreModelRequest: row({ ...OWN, silent: true }),
  PostModelRequest: row({ ...OWN, silent: true }),
} as const satisfies Record<string, ShapedEvent>;

export type CodexWord = keyof typeof codexEvents;

/**
 * Codex's names for hooks (0.166.0). Every file is written by `apply_patch`, whose one argument `command` holds the
 * patch: what others write by other tools its hooks are told as a patch.
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

/** Codex CLI: Claude Code's words, read more strictly. */
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
    hearing: {
      decisions: () => ['block'],
      flat: 'no',
      changes: ['updatedInput'],
      strict,
    },
    // Exit 2 with a reason on stderr is what it has always obeyed.
    voice: { refusal: 'exit', place: 'specific', input: 'updatedInput', replacement: 'alone' },
    answers,
    spelling: {
      callId: 'tool_use_id',
      result: {
        write: (text) => ({ tool_response: text }),
        read: ({ tool_response: said }) => contentOf(said),
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

/** What the model is shown of a result: one text, or what the server of an MCP tool sent. */
function contentOf(result: unknown): unknown[] {
  if (result === undefined || result === null) return [];
  if (Array.isArray(result)) return result;
  if (isPlain(result) && Array.isArray(result['content'])) return result['content'];
  return [{ type: 'text', text: typeof result === 'string' ? result : JSON.stringify(result) }];
}
