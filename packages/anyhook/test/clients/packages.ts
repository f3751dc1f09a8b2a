/** Pins the versions of the clients, because npm on an older Node would silently install older releases. */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { AGENT_NAMES, type AgentName, AGENTS } from '../../src/agents/index.ts';
import type { Headless } from '../../src/agents/shared/headless.ts';

export const CACHE = fileURLToPath(new URL('../../../../.cache/clients/', import.meta.url));

const PLATFORM = `${process.platform}-${process.arch}`;
const isNodeNewEnough = Number(process.versions.node.split('.')[0]) >= 22;

/** The agents of this run. */
export const CHOSEN: readonly AgentName[] = AGENT_NAMES.filter(
  (name) => AGENTS[name].headless !== null && (process.env['CLIENTS']?.split(',').includes(name) ?? true),
);
/** Agents without a headless mode cannot be started here. */
export const headlessOf = (name: AgentName): Promise<Headless> => AGENTS[name].headless!();
const ALL = AGENT_NAMES.filter((name) => AGENTS[name].headless !== null);

const wanted = async (name: AgentName): Promise<string> => {
  const { npm } = await headlessOf(name);
  return `${npm.install(PLATFORM)}@${AGENTS[name].seen[0]!.version}`;
};

interface Wanted {
  readonly client: AgentName;
  /** Includes the version. */
  readonly wanted: string;
  readonly needs: readonly string[];
}
/** Agents whose program is a bundle. Their package is unpacked, not installed. */
export async function bundled(): Promise<readonly Wanted[]> {
  const all = await Promise.all(
    CHOSEN.map(async (name) => ({ name, spec: await wanted(name), npm: (await headlessOf(name)).npm })),
  );
  return all.flatMap(({ name, spec, npm }) =>
    npm.needsOnly === undefined ? [] : [{ client: name, wanted: spec, needs: npm.needsOnly }],
  );
}

async function installedWhole(): Promise<[AgentName, readonly string[]][]> {
  const apart = new Set((await bundled()).map(({ client }) => client));
  const names = CHOSEN.filter((name) => !apart.has(name));
  return Promise.all(names.map(async (name): Promise<[AgentName, string[]]> => [name, [await wanted(name)]]));
}

/** Maps folders in the cache to packages: every agent at its recorded version, and what else is needed. */
export const packages = async (): Promise<Readonly<Record<string, readonly string[]>>> => ({
  ...Object.fromEntries(await installedWhole()),
  ...(CHOSEN.length === ALL.length && {
    'agent-sdk': ['@anthropic-ai/claude-agent-sdk@0.3.326', 'zod@4'],
  }),
  bun: ['bun@1.4.4'],
  ...(isNodeNewEnough ? {} : { node22: [`node-${PLATFORM}@22`] }),
});

export const inCache = (client: string, path: string): string => join(CACHE, client, 'node_modules', path);

/** Returns the program of an agent. Scripts of packages never run. */
export async function installed(name: AgentName): Promise<string> {
  const { npm } = await headlessOf(name);
  const found = npm
    .start(PLATFORM)
    .map((path) => inCache(name, path))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${name} brought no program for ${PLATFORM} into ${CACHE}${name}`);
  return found.endsWith('.br') ? unpacked(found) : found;
}

/** Some packages contain a compressed program that their install script would unpack. */
function unpacked(file: string): string {
  const program = file.slice(0, -'.br'.length);
  if (!existsSync(program)) {
    const part = `${program}.${process.pid}`;
    writeFileSync(part, brotliDecompressSync(readFileSync(file)), { mode: 0o755 });
    renameSync(part, program);
  }
  return program;
}
export const claude = (): Promise<string> => installed('claude-code');
export const sdkModule = (): string => inCache('agent-sdk', '@anthropic-ai/claude-agent-sdk/sdk.mjs');
export const bun = (): string => inCache('bun', `@oven/bun-${PLATFORM}/bin/bun`);
export const node22 = (): string =>
  isNodeNewEnough ? process.execPath : inCache('node22', `node-${PLATFORM}/bin/node`);
