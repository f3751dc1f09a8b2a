/** Converts one action of a Goose group to a hook. */

import type { Place } from '../../../events/dialect.ts';
import type { HookFailure } from '../../../events/exchange.ts';
import type { Hook, McpServer, OnFailure, Way } from '../../../events/hook.ts';
import { type GooseMatcher, readMatcher } from './match.ts';
import { BLOCKABLE, type GooseWord } from './names.ts';

interface Common {
  /** Seconds. */
  readonly timeout?: number | undefined;
  readonly on_failure?: 'allow' | 'block' | undefined;
}
export interface CommandAction extends Common {
  readonly type: 'command';
  readonly command: string;
}
export interface ToolAction extends Common {
  readonly type: 'mcp_tool';
  /** The full name, or with `server` the name on that server. */
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly server?: string | McpServer | undefined;
  /** Passes the event: `true` as the argument `event`, a string under that name. */
  readonly pass_event?: boolean | string | undefined;
}
export type Action = CommandAction | ToolAction;

/** The location of an action. */
export interface ActionPlace {
  readonly place: Place;
  readonly event: GooseWord;
  readonly group: number;
  readonly index: number;
  readonly line: number;
  readonly column?: number;
  readonly matcher?: string | undefined;
  /** Already parsed; otherwise read from `matcher`. */
  readonly match?: GooseMatcher;
}

export const DEFAULT_SECONDS = 600;
export const PLUGIN_SECONDS = 30;
/** Events on which a failure can refuse. A broken script must not keep the agent from stopping. */
export const CLOSABLE: ReadonlySet<string> = new Set<GooseWord>([
  'PreToolUse',
  'UserPromptSubmit',
  'PermissionRequest',
]);

export function hookFromAction(action: Action, entryPlace: ActionPlace): Hook {
  const { place, event, matcher, line, column } = entryPlace;
  const { layer, file } = place;
  const { match, when } = entryPlace.match ?? readMatcher(matcher, event, place.plugin !== undefined).matcher;
  return {
    id: `goose:${file}#${event}/${entryPlace.group + 1}.${entryPlace.index + 1}`,
    dialect: 'goose',
    on: event,
    origin: {
      layer,
      file,
      line,
      ...(column !== undefined && { column }),
      ...(place.plugin && { plugin: place.plugin }),
    },
    roles: [BLOCKABLE.has(event) ? 'guard' : 'observer'],
    match,
    ...(when && { when }),
    label: action.type === 'command' ? action.command : action.tool,
    ...(matcher !== undefined && matcher !== '' && { matcher }),
    run: wayOf(action, place),
    background: false,
    shadow: false,
    timeoutMs: timeoutOf(action, place),
    ...onFailure(action, event),
  };
}

/** An unreadable action stays and fails by its policy, for its intended calls. */
export const missingAction = (action: Partial<Action>, entryPlace: ActionPlace, why: HookFailure): Hook => {
  const stand: Action = { type: 'command', command: '', on_failure: action.on_failure };
  const { label: _, ...hook } = hookFromAction(stand, entryPlace);
  return { ...hook, run: { kind: 'missing', why } };
};

/** Versions B and C treat 0 as the default. */
function timeoutOf({ timeout }: Action, place: Place): number {
  const usual = place.plugin === undefined ? DEFAULT_SECONDS : PLUGIN_SECONDS;
  return (timeout || usual) * 1000;
}

function onFailure({ on_failure }: Action, event: GooseWord): { onFailure?: OnFailure } {
  return on_failure !== undefined && CLOSABLE.has(event) ? { onFailure: on_failure } : {};
}

function wayOf(action: Action, place: Place): Way {
  if (action.type === 'command') return commandOf(action.command, place);
  const { server, tool, arguments: input, pass_event: pass } = action;
  const passEvent = pass === true ? 'event' : pass === false ? undefined : pass;
  return {
    kind: 'mcp',
    tool,
    ...(server !== undefined && { server }),
    ...(input !== undefined && { input }),
    ...(passEvent !== undefined && { passEvent }),
  };
}

const ROOT = '${PLUGIN_ROOT}';
/** A plugin command may contain the plugin folder. A folder name with shell syntax is passed as a variable instead. */
function commandOf(command: string, place: Place): Way {
  const plugin = place.plugin;
  if (plugin === undefined) return { kind: 'command', run: { line: command }, env: 'inherit' };
  const { root } = plugin;
  const line = /^[\w@%+=:,./-]+$/.test(root) ? command.replaceAll(ROOT, () => root) : command;
  return { kind: 'command', run: { line }, env: 'inherit', set: { PLUGIN_ROOT: root } };
}
