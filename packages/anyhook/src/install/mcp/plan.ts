/** Plans how to wrap an agent's MCP servers in the proxy, and how to unwrap them. */

import { existsSync } from 'node:fs';
import type { Agent } from '../../agents/shared/agent.ts';
import type { InstallLocation, Setup } from '../../agents/shared/bridge.ts';
import type { McpSettings } from '../../agents/shared/mcp-settings.ts';
import { nearest } from '../../events/problems.ts';
import { Unreadable } from '../json-text.ts';
import type { InstallPlan, Step } from '../plan.ts';
import { fileHash, installsIn, type KeptFile, readInstallRecord, recordFile } from '../record.ts';
import { type TargetFile, targetFileOf, targetText } from '../target.ts';
import { type Servers, serversNamed, withServers } from './servers-text.ts';
import { isWrapped, type ProxySetup, unwrapServer, wrapServer } from './wrap-server.ts';

export interface WrapPlan extends InstallPlan {
  /** Servers that are left alone, with the reason. */
  readonly left: readonly string[];
}
/** All servers if none is named. */
export interface WrapOrder {
  readonly names: readonly string[];
  readonly setup: Setup;
}

export function planWrap(agent: Agent, where: InstallLocation, { names, setup }: WrapOrder): WrapPlan {
  const { settings, target, record, known } = look(agent, where);
  const text = targetText(target);
  const servers = chosen(text, settings, target, names);
  const left: string[] = [];
  const wrapped: Record<string, Servers[string]> = {};
  const hasOffers = Object.values(serversNamed(text, settings, target.file)).some((server) =>
    isWrapped(server, settings.words),
  );
  for (const [name, server] of Object.entries(servers)) {
    if (isWrapped(server, settings.words)) continue;
    const isFirst = !hasOffers && Object.keys(wrapped).length === 0;
    const proxy: ProxySetup = {
      agent: agent.name,
      starts: startsOf(where, setup),
      offers: isFirst ? 'added' : 'left out',
    };
    const made = wrapServer(name, server, settings.words, proxy);
    if (made.kind === 'wrapped') wrapped[name] = made.server;
    else left.push(`${name} ${made.why}`);
  }
  const wanted = Buffer.from(withServers(text, settings, wrapped, target.file));
  const isSame = target.bytes?.equals(wanted) === true;
  const originals = Object.fromEntries(Object.keys(wrapped).map((name) => [name, servers[name]!]));
  const keptFile: KeptFile = {
    path: target.path,
    // The file before the first server was wrapped.
    before: known?.after === fileHash(target.bytes!) ? known.before : target.bytes!.toString('base64'),
    after: fileHash(wanted),
    made: [],
    folders: [],
    servers: { ...known?.servers, ...originals },
  };
  return {
    agent,
    where,
    record,
    left,
    idle: isSame,
    steps: [{ target, wanted, folders: [], ...(isSame ? known && { kept: known } : { kept: keptFile }) }],
  };
}

export function planUnwrap(agent: Agent, where: InstallLocation, names: readonly string[]): WrapPlan {
  const { settings, target, record, known } = look(agent, where);
  const text = targetText(target);
  const all = serversNamed(text, settings, target.file);
  const servers = chosen(text, settings, target, names);
  const ours = Object.entries(servers).filter(([, server]) => isWrapped(server, settings.words));
  const isAll =
    Object.entries(all).filter(([, server]) => isWrapped(server, settings.words)).length === ours.length;
  const back = Object.fromEntries(
    ours.map(([name, server]) => [name, known?.servers?.[name] ?? unwrapServer(server, settings.words)!]),
  );
  const isUntouched = isAll && known !== undefined && fileHash(target.bytes!) === known.after;
  const wanted =
    isUntouched && known.before !== null
      ? Buffer.from(known.before, 'base64')
      : Buffer.from(withServers(text, settings, back, target.file));
  const step: Step = { target, wanted, folders: [] };
  // The original is kept as long as one server is wrapped.
  const keptFile: KeptFile | undefined =
    isAll || known === undefined ? undefined : { ...known, before: null, after: fileHash(wanted) };
  return {
    agent,
    where,
    record,
    left: [],
    idle: ours.length === 0,
    steps: [keptFile === undefined ? step : { ...step, kept: keptFile }],
  };
}

/** Whether any of the agent's servers is wrapped. */
export function hasProxies({ mcp: settings }: Agent, where: InstallLocation): boolean {
  if (settings === null) return false;
  try {
    const target = targetFileOf(fileOf(settings, where), where);
    return Object.values(serversNamed(targetText(target), settings, target.file)).some((server) =>
      isWrapped(server, settings.words),
    );
  } catch {
    return false; // an unreadable file is reported where it is requested
  }
}

function look({ name, shown, mcp: settings }: Agent, where: InstallLocation) {
  if (settings === null)
    throw new Unreadable(
      `where ${shown} names MCP servers is not known; put \`anyhook mcp -- …\` there by hand.`,
    );
  const target = targetFileOf(fileOf(settings, where), where);
  if (target.bytes === undefined)
    throw new Unreadable(`${target.file} is not there: no MCP server is named in it.`);
  const record = recordFile(installsIn(where), `${name}-mcp`, [target.path]);
  const known = readInstallRecord(record)?.files.find(({ path }) => path === target.path);
  return { settings, target, record, known };
}

const fileOf = ({ files }: McpSettings, where: InstallLocation): string => {
  const all = files(where);
  return all.find((file) => existsSync(file)) ?? all[0];
};

function chosen(
  text: string,
  settings: McpSettings,
  { file }: TargetFile,
  names: readonly string[],
): Servers {
  const all = serversNamed(text, settings, file);
  for (const name of names)
    if (!Object.hasOwn(all, name)) {
      const near = nearest(name, Object.keys(all));
      const hint =
        near === undefined ? `it has ${Object.keys(all).join(', ') || 'none'}` : `did you mean ${near}?`;
      throw new Unreadable(`${file} has no server ${JSON.stringify(name)}; ${hint}`);
    }
  return names.length === 0 ? all : Object.fromEntries(names.map((name) => [name, all[name]!]));
}

/** A file that a project shares contains no path of this machine. */
const startsOf = ({ scope }: InstallLocation, { node, bin }: Setup): ProxySetup['starts'] =>
  scope === 'project' ? ['anyhook'] : [node, bin];
