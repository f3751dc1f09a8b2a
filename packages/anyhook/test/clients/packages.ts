/** The clients, pinned: npm on an older Node would silently take older releases. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CACHE = fileURLToPath(new URL('../../../../.cache/clients/', import.meta.url));

const PLATFORM = `${process.platform}-${process.arch}`;
const isNodeNewEnough = Number(process.versions.node.split('.')[0]) >= 22;

/** Folder in the cache → what npm installs there. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  claude: ['@anthropic-ai/claude-code@2.1.325'],
  'agent-sdk': ['@anthropic-ai/claude-agent-sdk@0.3.325', 'zod@4'],
  // The package of the plain name still brings goose 1.34, whose hooks fire but do not block.
  goose: [`@aaif/goose-binary-${PLATFORM}@1.52.0`],
  bun: ['bun@1.4.4'],
  opencode: ['opencode-ai@1.18.33'],
  ...(isNodeNewEnough ? {} : { node22: [`node-${PLATFORM}@22`] }),
  pi: ['@earendil-works/pi-coding-agent@0.87.1'],
  omp: ['@oh-my-pi/pi-coding-agent@18.2.3'],
  codex: ['@openai/codex@0.166.0'],
  gemini: ['@google/gemini-cli@0.61.0'],
};

const inCache = (client: string, path: string): string => join(CACHE, client, 'node_modules', path);

/** A native program that came with a package; scripts of packages are never run. */
export function binary(client: string, name: string): string {
  const candidates = ['', '-musl'].map((libc) =>
    inCache(client, `@anthropic-ai/${name}-${PLATFORM}${libc}/claude`),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found === undefined)
    throw new Error(`${name} brought no program for ${PLATFORM} into ${CACHE}${client}`);
  return found;
}
export const claude = (): string => binary('claude', 'claude-code');
export const sdkModule = (): string => inCache('agent-sdk', '@anthropic-ai/claude-agent-sdk/sdk.mjs');
export const goose = (): string => inCache('goose', `@aaif/goose-binary-${PLATFORM}/bin/goose`);
export const bun = (): string => inCache('bun', `@oven/bun-${PLATFORM}/bin/bun`);
export const opencode = (): string => inCache('opencode', `opencode-${PLATFORM}/bin/opencode`);
export const node22 = (): string =>
  isNodeNewEnough ? process.execPath : inCache('node22', `node-${PLATFORM}/bin/node`);
export const pi = (): string => inCache('pi', '@earendil-works/pi-coding-agent/dist/cli.js');
export const omp = (): string => inCache('omp', '@oh-my-pi/pi-coding-agent/dist/cli.js');
export const codex = (): string => inCache('codex', '@openai/codex/bin/codex.js');
export const gemini = (): string => inCache('gemini', '@google/gemini-cli/bundle/gemini.js');

/** The version that a client is pinned to, as the table in the docs names it. */
export function pinned(client: string): string {
  const spec = PACKAGES[client]?.[0] ?? '';
  return spec.slice(spec.lastIndexOf('@') + 1);
}
