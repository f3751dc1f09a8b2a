/** The agent does not disarm its own guards: a built-in hook that refuses calls which would change them. */
import { resolve } from 'node:path';
import { deny, type Effect, type Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { Hook, WayOf } from '../../canon/hook.ts';
import { guardedIn, type World } from './guarded.ts';
import { type Identity, makeIdentity } from './identity.ts';
import { makeNames, type Names } from './names.ts';
import type * as Shell from './shell.ts';
import { mentionedBy } from './tool-paths.ts';

export const SELF_PROTECTION = 'anyhook:self-protection';

export function selfProtection(world: World): Hook {
  return {
    id: SELF_PROTECTION,
    dialect: 'anyhook',
    on: 'tool.before',
    origin: { layer: 'managed', file: '(built in)', line: 1 },
    label: 'keeps the agent from changing its own hooks',
    roles: ['guard'],
    match: { kind: 'any' },
    isFirst: true,
    run: { kind: 'call', direct: true, fn: guardOf(world) as WayOf<'call'>['fn'] },
    background: false,
    shadow: false,
    timeoutMs: 10_000,
    onFailure: 'block',
  };
}

function guardOf(world: World) {
  const { home } = world.ground;
  let parts: { identity: Identity; names: Names } | undefined;
  return ({ payload, scene }: Event): Effect | undefined | Promise<Effect | undefined> => {
    const { tool, input } = payload as { tool?: unknown; input?: unknown };
    if (typeof tool !== 'string' || typeof input !== 'object' || input === null) return undefined;
    const { paths, commands } = mentionedBy(tool, input as Fields);
    if (paths.length === 0 && commands.length === 0) return undefined;
    const { identity, names } = (parts ??= partsOf(world));
    const look = identity.look();
    const path = paths.find((one) => look.touches(one, scene.cwd) === 'inside');
    if (path !== undefined) return refusal(`${tool} would change ${path}`);
    if (commands.length === 0) return undefined;
    const cwd = resolve(scene.cwd, textOf((input as Fields)['cwd']));
    const terms = { cwd, home, look, guarded: identity.names, names };
    // The parser is loaded with the first command.
    return shell === undefined
      ? import('./shell.ts').then((loaded) => judge(commands, terms, (shell = loaded)))
      : judge(commands, terms, shell);
  };
}

let shell: typeof Shell | undefined;

function judge(
  commands: readonly string[],
  terms: Shell.Terms,
  { shellObjection }: typeof Shell,
): Effect | undefined {
  for (const command of commands) {
    const objection = shellObjection(command, terms);
    if (objection !== undefined) return refusal(objection);
  }
  return undefined;
}

function partsOf(world: World): { identity: Identity; names: Names } {
  const identity = makeIdentity(guardedIn(world));
  return { identity, names: makeNames(identity.names) };
}

const refusal = (what: string): Effect =>
  deny(`hooks, their settings, trust and journal are for a person to change, not for the agent: ${what}`);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '.');
