/**
 * Installs the files that all bridges use: the client with its configuration, and a module for agents that load us. Written
 * with the first bridge and removed with the last.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '../agents/shared/agent.ts';
import type { InstallLocation, Setup } from '../agents/shared/bridge.ts';
import { clientConfFile, clientFile, clientFiles, nodeClientFile } from '../agents/shared/client-command.ts';
import { moduleLauncherFile, moduleLauncherText } from '../agents/shared/module-file.ts';
import { clientConf, managedClientConf } from '../daemon/client-conf.ts';
import { batchStarter, clientContent } from '../daemon/client-file.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgent } from '../gather/known-agents.ts';
import type { Step } from './plan.ts';
import { installsIn, readInstallRecord } from './record.ts';
import { targetFileOf } from './target.ts';

export function clientWritten(agent: Agent, where: InstallLocation, setup: Setup): readonly Step[] {
  const isManaged = where.scope === 'managed';
  // Every user of the machine runs root's client.
  const [programMode, textMode] = isManaged ? [0o755, 0o644] : [0o700, 0o600];
  const written = (file: string, content: Buffer | string, mode: number): Step => ({
    target: targetOf(file, where),
    wanted: Buffer.from(content),
    folders: [],
    mode,
  });
  const conf = isManaged ? managedClientConf(setup) : clientConf(setup, locationsOf(where));
  const files = loadsModule(agent)
    ? [written(moduleLauncherFile(where), moduleLauncherText(setup), textMode)]
    : [written(clientConfFile(where), conf, textMode), ...programs()];
  return [...files, ...oldLauncherRemoved(agent, where)];

  function programs(): readonly Step[] {
    const { client, node } = setup;
    const runtime = { node, isManaged };
    const [file, apart] = [clientFile(where, client.kind), nodeClientFile(where)];
    if (client.kind === 'native' || apart === undefined)
      return [written(file, clientContent(client, runtime), programMode)];
    return [
      written(apart, readFileSync(client.file), textMode),
      written(file, batchStarter(runtime), programMode),
    ];
  }
}

/** `record` belongs to the installation being removed. */
export function clientRemoved(agent: Agent, where: InstallLocation, record: string): readonly Step[] {
  const others = othersIn(where, record);
  const isNeeded = others.some((other) => loadsModule(other.agent) === loadsModule(agent));
  const files = isNeeded
    ? []
    : loadsModule(agent)
      ? [moduleLauncherFile(where)]
      : [...clientFiles(where), clientConfFile(where)];
  const folder = dirname(clientFile(where));
  // Parent folders are removed only if empty.
  const folders = [folder, dirname(folder), ...(where.scope === 'managed' ? [] : [dirname(dirname(folder))])];
  return [
    ...files.map((file): Step => ({
      target: targetOf(file, where),
      wanted: null,
      folders: others.length > 0 ? [] : folders,
    })),
    ...oldLauncherRemoved(agent, where),
  ];
}

const loadsModule = ({ inside }: Agent): boolean => inside !== null;
const targetOf = (file: string, where: InstallLocation) =>
  targetFileOf(file, { scope: where.scope === 'managed' ? 'managed' : 'user', cwd: where.cwd });

interface InstalledAgent {
  readonly agent: Agent;
  readonly files: readonly string[];
}
function othersIn(where: InstallLocation, record?: string): readonly InstalledAgent[] {
  const folder = installsIn(where);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => file !== record)
    .flatMap((file) => {
      const found = readInstallRecord(file);
      const agent = knownAgent(found?.agent ?? '', () => foldersOf(locationsOf(where)));
      return agent === undefined ? [] : [{ agent, files: found!.files.map(({ path }) => path) }];
    });
}

/** Where versions before 0.2 had a shell script and a module instead of the client. */
const OLD_LAUNCHER = { user: '.config/anyhook/launcher', managed: 'etc/anyhook/launcher' };

/** Removed once no other agent's settings refer to it. */
function oldLauncherRemoved({ name }: Agent, where: InstallLocation): readonly Step[] {
  const folder = join(where.home, OLD_LAUNCHER[where.scope === 'managed' ? 'managed' : 'user']);
  const leadsThere = (file: string) =>
    existsSync(file) && readFileSync(file, 'utf8').includes('anyhook/launcher/');
  const isUsed = othersIn(where).some(({ agent, files }) => agent.name !== name && files.some(leadsThere));
  if (isUsed || !existsSync(folder)) return [];
  return ['fire', 'open.mjs']
    .map((file) => join(folder, file))
    .filter((file) => existsSync(file))
    .map((file): Step => ({ target: targetOf(file, where), wanted: null, folders: [folder] }));
}
