/** What everything in one `createHooks` call shares: locations, and the services and runners that hooks use. */

import { agentOf } from '../agents/index.ts';
import type { Parts } from '../engine/parts.ts';
import type { Locations } from '../events/dialect.ts';
import type { EventInput } from '../events/event.ts';
import type { Hook } from '../events/hook.ts';
import type { Outcome } from '../events/outcome.ts';
import { type Services, withDefaults } from '../events/services.ts';
import { type Folders, foldersOf, homeVariables, locationsOf } from '../gather/folders.ts';
import type { OnStrayError } from '../gather/load-foreign.ts';
import { lazyMcpTools, type McpTools } from '../gather/mcp-tools.ts';
import { moveOldState } from '../gather/move-state.ts';
import { type OneLook, oneLook } from '../gather/one-look.ts';
import type { Options } from '../gather/options.ts';
import type { History } from '../history/history.ts';
import type { RunOwned } from '../runners/module/stray-errors.ts';
import { type Commands, lazyCommands } from '../runs/commands.ts';
import { type DepthLimit, openDepthLimit } from '../runs/depth-limit.ts';
import { execThrough } from '../runs/exec.ts';
import { SessionFiles } from '../sessions/file-store.ts';
import { MemorySessionStore, type SessionStore } from '../sessions/store.ts';
import { Histories } from './histories.ts';
import { projectRoot } from './project-root.ts';
import { Refusals } from './refusals.ts';
import { askPermission } from './wrap-tool.ts';

/** What only other parts of anyhook give, such as `anyhook test`. */
export interface Internals {
  /** The history that rules read instead of the journal. Its owner fills it. */
  readonly history?: History;
}

export interface Means extends Callbacks {
  readonly options: Options;
  /** Hooks added with `hooks.on`, in that order. */
  readonly added: Set<Hook>;
  /** The project whose hooks count. */
  readonly locations: Required<Locations>;
  /** Working directory of the program: the project or a folder below it. */
  readonly cwd: string;
  readonly folders: Folders;
  readonly commands: Commands;
  readonly mcp: McpTools;
  readonly services: Required<Pick<Services, 'log'>> & Services;
  readonly depthLimit: DepthLimit;
  readonly store: SessionStore;
  readonly histories: Histories;
  readonly refusals: Refusals;
  /** Session of events that name none. */
  readonly ownSession: string;
  /** How long a look at the disk (pause, guard acts, reload requests) stays valid. */
  readonly lookEveryMs: number;
  /** Aborts what is still loading. */
  readonly signal?: AbortSignal;
}
interface Callbacks extends Internals {
  readonly onLate: NonNullable<Parts['onLate']>;
  readonly onStray: OnStrayError;
  readonly runOwned?: RunOwned;
}

/** A program that keeps sessions in memory fires often, and its hooks are faster than a look at the disk. */
const LOOK_EVERY_MS = { memory: 200, file: 0 } as const;

export function makeMeans(
  options: Options,
  callbacks: Callbacks & { readonly fire: (input: EventInput) => Promise<Outcome> },
): { readonly means: Means; readonly look: OneLook } {
  const { env, sessionStore = 'memory' } = options;
  const here = locationsOf(options);
  const look = oneLook(here);
  const locations = { ...here, cwd: projectRoot({ ...here, ...look.places }, look.project) };
  const homeEnv = homeVariables(options);
  // A given environment belongs to another process, so our own parent processes do not count.
  const depth = openDepthLimit(locations.env, env === undefined ? {} : { above: [] });
  const depthLimit = { ...depth, env: { ...depth.env, ...homeEnv } };
  const commands = lazyCommands(env);
  const histories = new Histories(
    callbacks.history,
    agentOf(options.host.name)?.reportsFailedCommands === true,
  );
  const services = withDefaults(
    {
      permit: askPermission(callbacks.fire),
      history: (session, query = {}) => histories.read(session, query, locations.cwd),
      ...options.services,
    },
    execThrough(() => commands.ready(), here.cwd, depthLimit),
  );
  const folders = foldersOf(locations);
  moveOldState(folders);
  const ownSession = crypto.randomUUID();
  const store =
    sessionStore === 'file'
      ? new SessionFiles({ folder: folders.sessions, host: options.host.name, ownSession })
      : new MemorySessionStore();
  const means: Means = {
    ...callbacks,
    options,
    added: new Set(),
    locations,
    cwd: here.cwd,
    folders,
    commands,
    mcp: lazyMcpTools(services, { cwd: locations.cwd, env: homeEnv, ...(env && { inherited: env }) }),
    services,
    depthLimit,
    store,
    histories,
    refusals: new Refusals({ store, home: locations.home, isShared: sessionStore === 'file' }),
    ownSession,
    lookEveryMs: LOOK_EVERY_MS[sessionStore],
  };
  return { means, look };
}
