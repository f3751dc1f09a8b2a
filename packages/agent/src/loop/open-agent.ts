/** Builds the agent from its parts in dependency order: hooks, settings, model, tools, session. */

import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { ToolSet } from 'ai';
import type { Hooks, OfferedTool } from 'anyhook';
import { hookedFetch } from 'anyhook/ai-sdk';
import type { Listen } from '../front/happening.ts';
import { nobody, type Person } from '../front/person.ts';
import { makeJudge } from '../hooks/judge.ts';
import { offerLogins } from '../hooks/offer-logins.ts';
import { unaskedVetoes } from '../hooks/unasked-vetoes.ts';
import { openWire, type Actor, type Wire, type WireOptions } from '../hooks/wire.ts';
import { loggedIn } from '../models/logged-in.ts';
import { NoModel } from '../models/no-model.ts';
import { type OpenedModel, openModel } from '../models/open-model.ts';
import type { Disk } from '../session/append-file.ts';
import type { Session } from '../session/session.ts';
import { SessionStore } from '../session/store.ts';
import { ownTools } from '../tools/index.ts';
import { openServers } from '../tools/mcp.ts';
import { offeredTools } from '../tools/offered.ts';
import type { AgentTool } from '../tools/tool.ts';
import { Agent } from './agent.ts';
import { configFrom } from './config-hooks.ts';
import { messageOf } from './failure.ts';
import { lookAround } from './look-around.ts';
import { commandFoldersIn, settledIn } from './prompt-commands.ts';
import type { Mode } from './rules.ts';
import { servicesOf } from './services.ts';
import { BadSettings, readSettings, type Settings } from './settings.ts';

export interface AgentOptions {
  readonly cwd: string;
  /** The folder of settings and sessions. Default: the user's. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Overrides the settings. */
  readonly model?: string;
  readonly hookModel?: string;
  readonly permission?: Mode;
  readonly maxTurns?: number;
  readonly settings?: Partial<Settings>;
  readonly person?: Person;
  readonly listen?: Listen;
  readonly start?: 'new' | 'continue' | { readonly resume: string };
  /** Tools besides the built-in ones and those of hook modules, such as tools of MCP servers. */
  readonly tools?: readonly AgentTool[];
  /** More options for the library: hooks of the program, trust, sources, dialects. */
  readonly hooks?: WireOptions;
  /** The `fetch` that finally sends the provider's requests. */
  readonly fetch?: typeof fetch;
  readonly onClose?: () => Promise<void>;
  readonly disk?: Disk;
}

/** Throws `NoModel`, `BadSettings` or `UnreadableSession` for errors that the user can fix. */
export async function openAgent(options: AgentOptions): Promise<Agent> {
  const start = startOf(options);
  const { settings, notices } = readSettings(start);
  notices.forEach(start.warn);
  const current: Current = { settings: withOptions(settings, options), lookAround: () => ({}) };
  const wire = await openHooks(start, current);
  const closing: (() => Promise<void>)[] = options.onClose ? [options.onClose] : [];
  try {
    const store = new SessionStore({
      folder: join(start.state, 'anyhook-agent', 'sessions'),
      cwd: start.cwd,
      warn: start.warn,
      ...(options.disk && { disk: options.disk }),
    });
    const { session, source } = opened(store, options.start ?? 'new');
    const who: Actor = { session: session.id, scene: { cwd: start.cwd, transcript: session.file } };
    const own = current.settings;
    const hooked = await settingsFromHooks(start, wire, who, own);
    current.settings = hooked.settings;
    const servers = await openServers(hooked.servers, { cwd: start.cwd });
    servers.problems.forEach(start.warn);
    closing.push(servers.close);
    if (current.settings.permission.mode === 'allow') unaskedVetoes(wire.hooks.hooks).forEach(start.warn);
    await offerLogins(wire, who);
    const models = await openModels(start, wire, { current, own, who });
    const life = {
      cwd: start.cwd,
      env: start.env,
      wire,
      person: start.person,
      settings: current.settings,
      store,
      rules: { allow: [], ask: [], deny: [] },
      ...models,
      tools: toolsAsOffered(wire.hooks, [...(options.tools ?? []), ...servers.tools], start.warn),
      hooked,
    };
    current.lookAround = (signal) => lookAround(life, actorOf(current.agent, who), signal);
    const agent = new Agent({
      life,
      session,
      source,
      listeners: start.listeners,
      commandFolders: commandFoldersIn(start.cwd, start.config),
      onClose: async () => {
        await Promise.allSettled(closing.map((close) => close()));
      },
    });
    current.agent = agent;
    start.tell({ kind: 'session', id: session.id, file: session.file, model: agent.model });
    return agent;
  } catch (error) {
    await wire.close();
    await Promise.allSettled(closing.filter((close) => close !== options.onClose).map((close) => close()));
    throw error;
  }
}

/** Where the agent starts, and whom it notifies. */
interface Start {
  readonly options: AgentOptions;
  readonly cwd: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: string;
  readonly state: string;
  readonly person: Person;
  readonly listeners: Set<Listen>;
  readonly tell: Listen;
  readonly warn: (text: string) => void;
}

function startOf(options: AgentOptions): Start {
  const home = options.home ?? homedir();
  const env = options.env ?? process.env;
  const listeners = new Set<Listen>(options.listen ? [options.listen] : []);
  const tell: Listen = (happening) => listeners.forEach((listen) => listen(happening));
  return {
    options,
    cwd: resolve(options.cwd),
    home,
    env,
    config: folderOf(env['XDG_CONFIG_HOME'], options.home, join(home, '.config')),
    state: folderOf(env['XDG_STATE_HOME'], options.home, join(home, '.local', 'state')),
    person: options.person ?? nobody,
    listeners,
    tell,
    warn: (text) => tell({ kind: 'notice', level: 'warning', text }),
  };
}

/** The parts that hooks use and that are replaced while the agent is opened. */
interface Current {
  settings: Settings;
  lookAround: (signal: AbortSignal) => ToolSet;
  agent?: Agent;
}

function openHooks({ options, cwd, env, person, tell }: Start, current: Current): Promise<Wire> {
  /** Judge models bypass the hooks on requests. */
  const judges = new Map<string, Promise<OpenedModel>>();
  const judge = makeJudge(() => ({
    ...current.settings.judge,
    tools: (signal) => current.lookAround(signal),
    open(wanted) {
      const { hookModel, model = '' } = current.settings;
      const spec = (wanted?.includes(':') ? wanted : undefined) ?? hookModel ?? model;
      const judging =
        judges.get(spec) ?? openModel(spec, { env, cwd, ...(options.fetch && { fetch: options.fetch }) });
      judges.set(spec, judging);
      return judging;
    },
  }));
  const openedAgent = (): Agent => {
    if (current.agent === undefined) throw new Error('the agent is still being started');
    return current.agent;
  };
  return openWire(
    {
      ...options.hooks,
      cwd,
      ...(options.home !== undefined && { home: options.home }),
      ...(options.env && { env: options.env }),
      services: { ...servicesOf(openedAgent, person, tell, judge), ...options.hooks?.services },
    },
    tell,
  );
}

async function settingsFromHooks({ cwd, config, warn }: Start, wire: Wire, who: Actor, settings: Settings) {
  const loaded = await wire.configLoaded(who, { ...settings, ...settledIn(cwd, config) }, 'settings');
  if (loaded.refused !== undefined) throw new BadSettings(`a hook refuses these settings: ${loaded.refused}`);
  const isOfProject = (id: string) =>
    wire.hooks.hooks.some((hook) => hook.id === id && hook.origin.layer === 'project');
  const hooked = configFrom(settings, loaded.config, loaded.changed, isOfProject);
  hooked.notices.forEach(warn);
  return hooked;
}

interface ModelChoice {
  readonly current: Current;
  /** The settings before hooks changed them. */
  readonly own: Settings;
  readonly who: Actor;
}

async function openModels(
  { options, home, env, cwd, warn }: Start,
  wire: Wire,
  { current, own, who }: ModelChoice,
) {
  const spec = current.settings.model;
  if (spec === undefined)
    throw new NoModel(
      'No model is set: use --model, or "model" in ~/.config/anyhook-agent/settings.json, as anthropic:claude-sonnet-4-5 or scripted:<file>.',
    );
  const around = (base: typeof fetch | undefined) =>
    hookedFetch(
      wire.http(() => actorOf(current.agent, who)),
      base,
    );
  const logins = storedLogins({ home, env: options.home === undefined ? env : {} });
  const terms = { env, cwd, around, loggedIn: loggedIn(() => wire.hooks.offers.auth, logins) };
  const openHooked = (which: string) => openModel(which, { ...terms, fetch: around(options.fetch) });
  const model = await openHooked(spec).catch((error: unknown) => {
    if (own.model === undefined || own.model === spec) throw error;
    warn(`${messageOf(error)} A hook named that model; yours is used.`);
    return openHooked(own.model);
  });
  return { model, openModel: openHooked };
}

/** Loaded when a provider asks. Scripted models and most local servers need no login. */
const storedLogins = (where: {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}) => ({
  async get(provider: string) {
    const { credentialFolder, openCredentialStore } = await import('anyhook/opencode');
    return openCredentialStore(credentialFolder(where)).get(provider);
  },
});

/** Modules may offer other tools after a reload. */
function toolsAsOffered(hooks: Hooks, more: readonly AgentTool[], warn: (text: string) => void) {
  let { offers } = hooks;
  let tools = toolsOf(hooks, more, warn);
  return (): readonly AgentTool[] => {
    if (hooks.offers !== offers) tools = toolsOf(hooks, more, warn);
    ({ offers } = hooks);
    return tools;
  };
}

/** A plugin of OpenCode may replace a built-in tool, as in OpenCode. Other modules may not. */
function toolsOf(
  hooks: Hooks,
  more: readonly AgentTool[],
  warn: (text: string) => void,
): readonly AgentTool[] {
  const own = [...ownTools(), ...more];
  const isPlugin = ({ origin }: OfferedTool) =>
    hooks.hooks.some((hook) => hook.dialect === 'opencode' && hook.origin.file === origin.file);
  const { tools, notices, replaced } = offeredTools(
    hooks.offers.tools,
    own.map(({ name }) => name),
    isPlugin,
  );
  notices.forEach(warn);
  return [...own.filter(({ name }) => !replaced.includes(name)), ...tools];
}

const actorOf = (agent: Agent | undefined, who: Actor): Actor =>
  agent === undefined
    ? who
    : { session: agent.session.id, scene: { ...who.scene, transcript: agent.session.file } };

function withOptions(
  settings: Settings,
  { model, hookModel, permission, maxTurns, settings: more }: AgentOptions,
): Settings {
  return {
    ...settings,
    ...more,
    ...(model !== undefined && { model }),
    ...(hookModel !== undefined && { hookModel }),
    ...(maxTurns !== undefined && { maxTurns }),
    permission: {
      ...settings.permission,
      ...more?.permission,
      ...(permission !== undefined && { mode: permission }),
    },
  };
}

function opened(
  store: SessionStore,
  start: NonNullable<AgentOptions['start']>,
): { session: Session; source: string } {
  if (typeof start === 'object') return { session: store.open(start.resume), source: 'resume' };
  const latest = start === 'continue' ? store.latest() : undefined;
  return latest === undefined
    ? { session: store.create(), source: 'startup' }
    : { session: latest, source: 'resume' };
}

/** An explicit home replaces all other locations, as in the library. */
const folderOf = (named: string | undefined, home: string | undefined, usual: string): string =>
  home === undefined && named !== undefined && isAbsolute(named) ? named : usual;
