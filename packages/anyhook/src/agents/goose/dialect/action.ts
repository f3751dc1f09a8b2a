/** Reads one entry of a group's `hooks`. Errors are reported at their location, and the entry does not vanish. */

import { anyText, record, type Shape, shown, type Spot, suggestion, text } from '../../../events/checker.ts';
import type { Hook, McpServer } from '../../../events/hook.ts';
import { mcpServer } from '../../../events/mcp-server.ts';
import type { Problem } from '../../../events/problems.ts';
import {
  type Action,
  CLOSABLE,
  DEFAULT_SECONDS,
  hookFromAction,
  missingAction,
  type ActionPlace,
} from './definition.ts';
import { sayUnknownKeys } from './say-unknown-keys.ts';

const TYPES = ['command', 'mcp_tool'];
const COMMON = ['type', 'timeout', 'on_failure'];
const KEYS = {
  command: [...COMMON, 'command'],
  mcp_tool: [...COMMON, 'tool', 'arguments', 'server', 'pass_event'],
};

/** `problems` contains the earlier ones, to which `spot` adds its own. */
export function readAction(spot: Spot, entryPlace: ActionPlace, problems: readonly Problem[]): Hook[] {
  const entry = record(spot);
  const type = entry === undefined ? undefined : typeOf(spot, entryPlace);
  if (type === undefined) return [];
  sayUnknownKeys(spot, KEYS[type], entryPlace.place);
  const common = {
    timeout: timeout(spot.part('timeout')),
    on_failure: policy(spot.part('on_failure'), entryPlace),
  };
  const action = type === 'command' ? commandOf(spot) : toolOf(spot);
  const fault = problems.find(({ severity }) => severity === 'error');
  if (action !== undefined && fault === undefined)
    return [hookFromAction({ ...action, ...common }, entryPlace)];
  const detail = [fault?.key, fault?.message].filter(Boolean).join(' ');
  return [missingAction(common, entryPlace, { kind: 'not-loaded', detail })];
}

/** Current Goose treats an action without a type as a command. */
function typeOf(spot: Spot, { place }: ActionPlace): Action['type'] | undefined {
  const { value, report } = spot.part('type');
  const severity = place.owner === undefined ? 'error' : 'warning';
  if (value === 'command' || value === 'mcp_tool') return value;
  if (value === undefined && spot.part('command').value !== undefined) return 'command';
  if (value === undefined)
    spot.report('bad-value', 'has no type', { severity, remedy: `Known: ${TYPES.join(', ')}.` });
  else
    report('bad-value', `is ${shown(value)}`, {
      severity,
      remedy: `${suggestion(typeof value === 'string' ? value : '', TYPES)} The action is left out.`,
    });
  return undefined;
}

function commandOf(spot: Spot): Action | undefined {
  const command = needed(spot, 'command', text, 'Write the shell command to run.');
  return command === undefined ? undefined : { type: 'command', command };
}

function toolOf(spot: Spot): Action | undefined {
  const tool = needed(spot, 'tool', text, 'Write the full name of the tool.');
  if (tool === undefined) return undefined;
  return {
    type: 'mcp_tool',
    tool,
    arguments: given(spot, 'arguments', record),
    server: given(spot, 'server', server),
    pass_event: given(spot, 'pass_event', passEvent),
  };
}

/** A name from `.mcp.json`, or a server definition. */
const server: Shape<string | McpServer> = (spot) =>
  typeof spot.value === 'string' ? text(spot) : mcpServer(spot);
const passEvent: Shape<boolean | string> = (spot) =>
  typeof spot.value === 'boolean' ? spot.value : anyText(spot);

const given = <T>(spot: Spot, key: string, shape: Shape<T>): T | undefined =>
  spot.part(key).value === undefined ? undefined : shape(spot.part(key));

function needed<T>(spot: Spot, key: string, shape: Shape<T>, remedy: string): T | undefined {
  if (spot.part(key).value !== undefined) return shape(spot.part(key));
  spot.report('bad-value', `has no ${key}`, { remedy });
  return undefined;
}

/** An invalid timeout does not prevent the hook from running; the default applies. */
function timeout(spot: Spot): number | undefined {
  const { value } = spot;
  if (value === undefined) return value;
  // Zero means the default; less than a thousandth leaves no time to run.
  if (typeof value === 'number' && (value === 0 || value >= 0.001) && value < Infinity) return value;
  spot.report(typeof value === 'number' ? 'bad-value' : 'wrong-type', `is ${shown(value)}`, {
    remedy: `Write seconds; until then the default (${DEFAULT_SECONDS}, in a plugin 30) is used.`,
    severity: 'warning',
  });
  return undefined;
}

/** The author wants another policy than the default, so an unknown value is read as the strict one. */
function policy(spot: Spot, { event }: ActionPlace): 'allow' | 'block' | undefined {
  const { value } = spot;
  if (value === undefined) return undefined;
  if (!CLOSABLE.has(event)) {
    const remedy = `Remove it; it only applies to ${[...CLOSABLE].join(', ')}.`;
    spot.report('bad-value', `has no effect on ${event}`, { remedy, severity: 'warning', at: 'key' });
    return undefined;
  }
  if (value === 'allow' || value === 'block') return value;
  spot.report('bad-value', `is ${shown(value)}`, {
    remedy: `${suggestion(typeof value === 'string' ? value : '', ['allow', 'block'])} Until then a failure blocks.`,
    severity: 'warning',
  });
  return 'block';
}
