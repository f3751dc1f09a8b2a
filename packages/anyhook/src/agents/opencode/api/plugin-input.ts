/** Creates the argument of a plugin function. Each plugin gets its own, so changes do not affect others. */

import { homedir } from 'node:os';
import type { Project } from '@opencode-ai/sdk';
import type { Log, Services } from '../../../events/services.ts';
import { credentialFolder, openCredentialStore } from './auth/store.ts';
import { BASE_URL, makeClient } from './client/make-client.ts';
import type { HostFeed } from './host-feed.ts';
import { makeShell, type ShellTerms } from './shell/make-shell.ts';
import type { PluginInput } from './types/index.ts';

export interface Surroundings {
  readonly directory: string;
  readonly worktree: string;
  readonly project: Project;
  readonly services: Services;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly feed: HostFeed;
  readonly home?: string;
  /** Aborted when the plugins are disposed, which kills commands of their `$`. */
  readonly signal?: AbortSignal;
}

export function pluginInput(around: Surroundings): PluginInput {
  const { directory, worktree, project, services, env, signal } = around;
  return {
    client: clientIn(around),
    project: structuredClone(project),
    directory,
    worktree,
    serverUrl: new URL(BASE_URL), // there is no server: the client's requests are answered in this process
    $: makeShell({ cwd: directory, env, print: printTo(services.log), ...(signal && { signal }) }),
    experimental_workspace: {
      register(type) {
        services.log?.('warn', `plugin workspaces are not offered here: ${JSON.stringify(type)} is not used`);
      },
    },
  };
}

function clientIn({
  directory,
  worktree,
  project,
  services,
  env,
  feed: heard,
  home = homedir(),
}: Surroundings) {
  const session = () =>
    (services.session?.view?.() as { getSessionId?: () => string } | undefined)?.getSessionId?.();
  return makeClient({
    services,
    directory,
    worktree,
    project,
    session,
    config: () => heard.config,
    credentials: openCredentialStore(credentialFolder({ home, env })),
    subscribe: (listener) => heard.follow(listener),
    onFollow: () => void (heard.isFollowed = true),
  });
}

/** Never prints to the host's own stdout, which contains its answer or its screen. */
const printTo = (log: Log | undefined): NonNullable<ShellTerms['print']> =>
  log === undefined
    ? (_, chunk) => void process.stderr.write(chunk)
    : (stream, chunk) => log('info', chunk.toString().replace(/\n$/, ''), { stream });
