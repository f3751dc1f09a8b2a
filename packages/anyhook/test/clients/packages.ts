/** The clients, pinned: npm on an older Node would silently take older releases. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const CACHE = fileURLToPath(new URL('../../../../.cache/clients/', import.meta.url));

/** Folder in the cache → what npm installs there. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  claude: ['@anthropic-ai/claude-code@2.1.325'],
  'agent-sdk': ['@anthropic-ai/claude-agent-sdk@0.3.325', 'zod@4'],
};

/** A native program that came with a package; scripts of packages are never run. */
export function binary(client: string, name: string): string {
  const platform = `${process.platform}-${process.arch}`;
  const candidates = ['', '-musl'].map((libc) =>
    join(CACHE, client, 'node_modules/@anthropic-ai', `${name}-${platform}${libc}`, 'claude'),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found === undefined)
    throw new Error(`${name} brought no program for ${platform} into ${CACHE}${client}`);
  return found;
}
export const claude = (): string => binary('claude', 'claude-code');
export const sdkModule = (): string =>
  join(CACHE, 'agent-sdk/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs');
