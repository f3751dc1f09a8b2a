import type { Hooks } from '../library/hooks.ts';
import { findMcpServers } from '../../assembly/mcp-servers.ts';
import { survey } from './survey.ts';

/** All that a project asks for: hooks, modules, and servers of the Model Context Protocol. Nothing of it is started. */
export async function projectAsks(
  cwd: string | undefined,
  hashes: readonly string[] = [],
): Promise<Pick<Hooks, 'examined' | 'grant'>> {
  const hooks = await survey(cwd, hashes);
  await hooks.close();
  const servers = findMcpServers({ trust: { hashes }, ...(cwd !== undefined && { cwd }) });
  return {
    examined: [...hooks.examined, ...servers.examined],
    grant: (entry) =>
      servers.examined.some((one) => one.entry === entry) ? servers.grant(entry) : hooks.grant(entry),
  };
}
