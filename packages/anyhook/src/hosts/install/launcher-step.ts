/** The two files that all bridges lead to, one for lines and one for modules: written with the first, taken away with the last. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '../../agents/shared/agent.ts';
import type { InstallLocation, Setup } from '../../agents/shared/bridge.ts';
import { launcherFile } from '../../agents/shared/command-line.ts';
import { moduleLauncherFile, moduleLauncherText } from '../../agents/shared/module-file.ts';
import { foldersOf } from '../../assembly/folders.ts';
import { knownAgent } from '../../assembly/strangers.ts';
import { launcherText } from '../warm/launcher.ts';
import { managedLauncherText } from '../warm/managed-launcher.ts';
import { engineFolder } from '../warm/engine-folder.ts';
import type { Step } from './plan.ts';
import { installsIn, readInstallRecord } from './record.ts';
import { targetFileOf } from './target.ts';

export function launcherWritten(agent: Agent, where: InstallLocation, setup: Setup): readonly Step[] {
  const { node, bin, nc } = setup;
  const isManaged = where.scope === 'managed';
  const text = isInside(agent)
    ? moduleLauncherText(setup)
    : isManaged
      ? managedLauncherText({ node, bin })
      : launcherText({ node, bin, nc, engine: engineFolder(where) });
  const mode = isManaged ? 0o644 : 0o600; // every user of the machine reads root's
  return [{ target: targetOf(agent, where), wanted: Buffer.from(text), folders: [], mode }];
}

/** `record`: of the installation that goes now. */
export function launcherTaken(agent: Agent, where: InstallLocation, record: string): readonly Step[] {
  const others = othersIn(where, record);
  if (others.some((other) => isInside(other) === isInside(agent))) return [];
  const target = targetOf(agent, where);
  const folder = dirname(target.path);
  const folders = where.scope === 'managed' ? [folder, dirname(folder)] : [folder];
  return [{ target, wanted: null, folders: others.length > 0 ? [] : folders }];
}

const isInside = ({ inside }: Agent): boolean => inside !== null;
const targetOf = (agent: Agent, where: InstallLocation) =>
  targetFileOf((isInside(agent) ? moduleLauncherFile : launcherFile)(where), {
    scope: where.scope === 'managed' ? 'managed' : 'user',
    cwd: where.cwd,
  });

function othersIn(where: InstallLocation, record: string): readonly Agent[] {
  const folder = installsIn(where);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => file !== record)
    .flatMap((file) => knownAgent(readInstallRecord(file)?.agent ?? '', () => foldersOf(where)) ?? []);
}
