import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Problem } from '../../../events/problems.ts';
import type { PermitRequest, Services } from '../../../events/services.ts';
import { atWork } from './at-work.ts';
import { Faults } from './faults.ts';
import { HostFeed } from './host-feed.ts';
import { pluginOffers } from './offers-of.ts';
import type { Surroundings } from './plugin-input.ts';
import { type PluginSpec, readSpec } from './plugin-spec.ts';
import type { Plugins } from './plugins.ts';
import { openCodeProject, worktreeFolder } from './project-of.ts';
import { resolvePlugin, type PluginTarget } from './resolve-plugin.ts';
import { HOOK_MS, type LivePlugin, startPlugin } from './start-plugin.ts';

export interface LoadPluginsOptions {
  /** The folder of the session. */
  readonly directory: string;
  /** The root of the working tree; default: searched from `directory` upwards. */
  readonly worktree?: string;
  /** Paths, `file:` URLs or installed packages, alone or with options. Exactly these are loaded, in this order. */
  readonly plugins: readonly PluginSpec[];
  readonly services?: Services;
  /** For loading a file, for starting a plugin, and for each hook. */
  readonly timeoutMs?: number;
  /** Runs each plugin in its own process, which is killed when a hook times out. */
  readonly isolate?: boolean;
  readonly home?: string;
  /** For the plugins' `$`, and to locate OpenCode's packages. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Never rejects because of a plugin: what does not load becomes an entry of `problems`, and the rest loads. */
export async function loadPlugins(options: LoadPluginsOptions): Promise<Plugins> {
  const { timeoutMs = HOOK_MS, services = {}, env = process.env } = options;
  const directory = resolve(options.directory);
  const worktree = options.worktree === undefined ? worktreeFolder(directory) : resolve(options.worktree);
  const project = await openCodeProject(worktree);
  const home = options.home === undefined ? {} : { home: options.home };
  const feed = new HostFeed();
  const over = new AbortController();
  let loaded: Plugins | undefined;
  const permit: Services['permit'] = async (request) =>
    loaded === undefined ? { proceed: 'ask' } : askPlugins(loaded, request);
  const terms: Surroundings = {
    directory,
    worktree,
    project,
    services: { permit, ...services },
    env,
    feed: feed,
    signal: over.signal,
    ...home,
  };
  const { targets, problems } = targetsOf(options, directory);
  if (options.isolate === true) {
    const { isolatePlugins } = await import('./isolate-plugins.ts');
    return (loaded = await isolatePlugins(targets, { ...terms, timeoutMs, problems }));
  }
  const started: LivePlugin[] = [];
  for (const target of targets) {
    const { plugins, problems: said } = await startPlugin(target, { ...terms, timeoutMs });
    started.push(...plugins);
    problems.push(...said);
  }
  const { offers, problems: unsound } = pluginOffers(started, { ...terms, layer: 'session' });
  const faults = new Faults([...problems, ...unsound], services.log);
  return (loaded = atWork(started, { faults, offers, timeoutMs, feed: feed, end: () => over.abort() }));
}

function targetsOf(
  { plugins, home = homedir(), env = process.env }: LoadPluginsOptions,
  directory: string,
): { targets: readonly PluginTarget[]; problems: Problem[] } {
  const read = plugins.map((entry, index) => {
    const key = `plugins[${index}]`;
    const asked = readSpec(entry, key, directory);
    return 'code' in asked
      ? asked
      : resolvePlugin(asked, { from: directory, home, env, file: directory, key });
  });
  return {
    targets: withoutDuplicates(read.filter((one): one is PluginTarget => !('code' in one))),
    problems: read.filter((one) => 'code' in one),
  };
}

/** The last declaration of a plugin counts, at its own position, because it may have newer options. */
function withoutDuplicates(targets: readonly PluginTarget[]): PluginTarget[] {
  const last = new Map(targets.map((target, index) => [target.key, index]));
  return targets.filter((target, index) => last.get(target.key) === index);
}

/** Passes a tool's permission request to every plugin's `permission.ask`, in OpenCode's format. */
async function askPlugins(
  plugins: Plugins,
  { permission, patterns, metadata, session, call }: PermitRequest,
): ReturnType<NonNullable<Services['permit']>> {
  const input = {
    id: `per_${call ?? session}`,
    type: permission,
    pattern: patterns,
    sessionID: session,
    messageID: '',
    ...(call !== undefined && { callID: call }),
    title: patterns.length === 0 ? permission : `${permission}: ${patterns.join(', ')}`,
    metadata,
    time: { created: Date.now() },
    tool: permission,
    args: metadata,
  };
  const { status } = await plugins.trigger('permission.ask', input, { status: 'ask' });
  if (status === 'deny') return { proceed: 'no', reason: `a plugin refused ${input.title}` };
  return { proceed: status === 'allow' ? 'yes' : 'ask' };
}
