/** A built-in guard: refuses tool calls by which an agent would change or remove its own hooks. */

import type { Locations } from '../events/dialect.ts';
import { ask, deny, type Effect, type Fields } from '../events/effects.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import { toolPath } from '../events/tool-path.ts';
import { builtIn } from '../gather/built-in.ts';
import { homeOf } from '../gather/moved.ts';
import { answersQuestions } from './approval-requests.ts';
import { GuardedNames } from './guarded-names.ts';
import { type GuardedPaths, guardedIn, type World } from './guarded.ts';
import { type Identity, type FileIdentity, makeIdentity } from './identity.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type { GuardedCall } from './path-resolver.ts';
import type * as ShellObjection from './shell-objection.ts';
import { mentionedBy } from './tool-paths.ts';

export const SELF_PROTECTION = 'anyhook:self-protection';

export const selfProtection = (world: World): Hook => ({
  ...builtIn(SELF_PROTECTION, 'keeps the agent from changing its own hooks', guardOf(world)),
  isFirst: true,
});

function guardOf(world: World) {
  const { home, env } = world.locations;
  const places = (cwd: string) => ({ cwd, home, env });
  let parts: Parts | undefined;
  return ({ payload, scene }: Event): Effect | undefined | Promise<Effect | undefined> => {
    const { tool, input } = payload as { tool?: unknown; input?: unknown };
    if (typeof tool !== 'string' || typeof input !== 'object' || input === null) return undefined;
    if (answersQuestions(tool, input as Fields))
      return effectOf(refusal('it would answer a question that is for the user'));
    const { paths, commands, codes, mounts } = mentionedBy(tool, input as Fields);
    if (paths.length + commands.length + codes.length + mounts.length === 0) return undefined;
    const { identity, names, guarded } = (parts ??= partsOf(world));
    const look = identity.look();
    const path = paths.find((candidate) => isGuarded(candidate, places(scene.cwd), look));
    if (path !== undefined) return effectOf(refusal(`${tool} would change ${path}`));
    if (codes.some((text) => names.withinCode(text)))
      return effectOf(refusal(`${tool} is given a text that names it`));
    const mount = mounts.find((folder) => isOutside(folder, { cwd: scene.cwd, home }, look));
    if (mount !== undefined)
      return effectOf(doubt(`${tool} is given ${mount} to write, and something guarded lies in it`));
    if (commands.length === 0) return undefined;
    const cwd = toolPath(folderOf((input as Fields)['cwd']), { cwd: scene.cwd, home });
    const context: GuardedCall = {
      cwd,
      home,
      env: world.locations.env,
      look,
      guarded: identity.tree,
      code: guarded.code,
      names,
    };
    // The parser is loaded with the first command.
    return loadedJudge === undefined
      ? import('./shell-objection.ts').then((loaded) => judge(commands, context, (loadedJudge = loaded)))
      : judge(commands, context, loadedJudge);
  };
}

/** Reads the path as our own tools do, and also as a tool that does not expand `~` and `$HOME`. */
const isGuarded = (
  path: string,
  locations: Pick<Required<Locations>, 'cwd' | 'home' | 'env'>,
  look: FileIdentity,
): boolean =>
  [
    toolPath(path, locations),
    toolPath(path, { ...locations, home: homeOf(locations.env) ?? locations.home }),
    path,
  ].some((spelling) => look.touches(spelling, locations.cwd) === 'inside');

/** A guarded path is below the folder, which is not in the project: most containers work in the project. */
function isOutside(path: string, locations: { cwd: string; home: string }, look: FileIdentity): boolean {
  const place = toolPath(path, locations);
  return look.touches(place, locations.cwd) === 'above' && !`${place}/`.startsWith(`${locations.cwd}/`);
}

let loadedJudge: typeof ShellObjection | undefined;

function judge(
  commands: readonly string[],
  context: GuardedCall,
  { shellObjection }: typeof ShellObjection,
): Effect | undefined {
  // A terminal reads a carriage return as the end of a line.
  const found = commands.flatMap(
    (command) => shellObjection(command.replaceAll(/\r\n?/g, '\n'), context) ?? [],
  );
  const worst = found.find(({ kind }) => kind === 'refused') ?? found[0];
  return worst === undefined ? undefined : effectOf(worst);
}

interface Parts {
  readonly guarded: GuardedPaths;
  readonly identity: Identity;
  readonly names: GuardedNames;
}
function partsOf(world: World): Parts {
  const guarded = guardedIn(world);
  const identity = makeIdentity(guarded);
  return { guarded, identity, names: new GuardedNames(guarded) };
}

const effectOf = ({ kind, reason }: Objection): Effect => (kind === 'refused' ? deny(reason) : ask(reason));
const folderOf = (value: unknown): string => (typeof value === 'string' ? value : '.');
