/** The agent does not disarm its own guards: a built-in hook that refuses calls which would change them. */
import { ask, deny, type Effect, type Fields } from '../events/effects.ts';
import type { Locations } from '../events/dialect.ts';
import type { Event } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import { toolPath } from '../events/tool-path.ts';
import { builtIn } from '../gather/built-in.ts';
import { homeOf } from '../gather/moved.ts';
import { namedIn } from './code-names.ts';
import { type GuardedPaths, guardedIn, type World } from './guarded.ts';
import { type Identity, type FileIdentity, makeIdentity } from './identity.ts';
import { makeNames, type Names } from './names.ts';
import { doubt, type Objection, refusal } from './objection.ts';
import type * as Shell from './shell.ts';
import type { Terms } from './sight.ts';
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
    const { paths, commands, codes, mounts } = mentionedBy(tool, input as Fields);
    if (paths.length + commands.length + codes.length + mounts.length === 0) return undefined;
    const { identity, names, guarded } = (parts ??= partsOf(world));
    const look = identity.look();
    const path = paths.find((one) => isGuarded(one, places(scene.cwd), look));
    if (path !== undefined) return effectOf(refusal(`${tool} would change ${path}`));
    if (codes.some((text) => namedIn(text, names)))
      return effectOf(refusal(`${tool} is given a text that names it`));
    const mount = mounts.find((one) => isOutside(one, { cwd: scene.cwd, home }, look));
    if (mount !== undefined)
      return effectOf(doubt(`${tool} is given ${mount} to write, and something guarded lies in it`));
    if (commands.length === 0) return undefined;
    const cwd = toolPath(folderOf((input as Fields)['cwd']), { cwd: scene.cwd, home });
    const terms: Terms = {
      cwd,
      home,
      env: world.locations.env,
      look,
      guarded: identity.tree,
      code: guarded.code,
      names,
    };
    // The parser is loaded with the first command.
    return shell === undefined
      ? import('./shell.ts').then((loaded) => judge(commands, terms, (shell = loaded)))
      : judge(commands, terms, shell);
  };
}

/** As our own tools read it, and as one does to which `~` and `$HOME` are letters like any other. */
const isGuarded = (
  path: string,
  locations: Pick<Required<Locations>, 'cwd' | 'home' | 'env'>,
  look: FileIdentity,
): boolean =>
  [
    toolPath(path, locations),
    toolPath(path, { ...locations, home: homeOf(locations.env) ?? locations.home }),
    path,
  ].some((one) => look.touches(one, locations.cwd) === 'inside');

/** Something guarded lies below it, and it is not the project: in that most containers work. */
function isOutside(path: string, locations: { cwd: string; home: string }, look: FileIdentity): boolean {
  const place = toolPath(path, locations);
  return look.touches(place, locations.cwd) === 'above' && !`${place}/`.startsWith(`${locations.cwd}/`);
}

let shell: typeof Shell | undefined;

function judge(
  commands: readonly string[],
  terms: Terms,
  { shellObjection }: typeof Shell,
): Effect | undefined {
  // To a terminal, a carriage return is the end of a line.
  const found = commands.flatMap(
    (command) => shellObjection(command.replaceAll(/\r\n?/g, '\n'), terms) ?? [],
  );
  const worst = found.find(({ kind }) => kind === 'refused') ?? found[0];
  return worst === undefined ? undefined : effectOf(worst);
}

interface Parts {
  readonly guarded: GuardedPaths;
  readonly identity: Identity;
  readonly names: Names;
}
function partsOf(world: World): Parts {
  const guarded = guardedIn(world);
  const identity = makeIdentity(guarded);
  return { guarded, identity, names: makeNames(guarded) };
}

const effectOf = ({ kind, reason }: Objection): Effect => (kind === 'refused' ? deny(reason) : ask(reason));
const folderOf = (value: unknown): string => (typeof value === 'string' ? value : '.');
