/** The one file that the lines of all agents lead to: written with the first of them, taken away with the last. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type AgentName, agentOf, AGENTS } from '../../agents/index.ts';
import type { InstallLocation, Setup } from '../../agents/shared/bridge.ts';
import { launcherFile } from '../../agents/shared/command-line.ts';
import { launcherText } from '../warm/launcher.ts';
import { engineFolder } from '../warm/engine-folder.ts';
import type { Step } from './plan.ts';
import { installsIn, readInstallRecord } from './record.ts';
import { targetFileOf } from './target.ts';

/** For an agent that starts a command. */
export function launcherWritten(
  agent: AgentName,
  where: InstallLocation,
  { node, bin, nc }: Setup,
): readonly Step[] {
  if (AGENTS[agent].inside !== null) return [];
  const text = launcherText({ node, bin, nc, engine: engineFolder(where) });
  return [{ target: targetOf(where), wanted: Buffer.from(text), folders: [], mode: 0o600 }];
}

/** `record`: of the installation that goes now. */
export function launcherTaken(agent: AgentName, where: InstallLocation, record: string): readonly Step[] {
  if (AGENTS[agent].inside !== null || othersIn(installsIn(where), record)) return [];
  const target = targetOf(where);
  return [{ target, wanted: null, folders: [dirname(target.path)] }];
}

const targetOf = (where: InstallLocation) =>
  targetFileOf(launcherFile(where), { scope: 'user', cwd: where.cwd });

function othersIn(folder: string, record: string): boolean {
  try {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .some((file) => file !== record && agentOf(readInstallRecord(file)?.agent ?? '')?.inside === null);
  } catch {
    return false; // no folder, no installation
  }
}
