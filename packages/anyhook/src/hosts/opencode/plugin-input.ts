/** What a plugin function is called with. Each plugin gets its own: one that writes to it changes nothing for others. */
import type { Project } from '@opencode-ai/sdk';
import type { Services } from '../../canon/services.ts';
import { BASE_URL, makeClient } from './client/index.ts';
import { makeShell } from './shell/index.ts';
import type { PluginInput } from './types/index.ts';

export interface Surroundings {
  readonly directory: string;
  readonly worktree: string;
  readonly project: Project;
  readonly services: Services;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
}

export function pluginInput({ directory, worktree, project, services, env }: Surroundings): PluginInput {
  return {
    client: makeClient({ services, directory, worktree, project }),
    project: structuredClone(project),
    directory,
    worktree,
    serverUrl: new URL(BASE_URL), // nobody listens: the client's requests are answered in this process
    $: makeShell({ cwd: directory, env }),
    experimental_workspace: {
      register(type) {
        services.log?.('warn', `plugin workspaces are not offered here: ${JSON.stringify(type)} is not used`);
      },
    },
  };
}
