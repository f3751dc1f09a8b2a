/**
 * Reads the names of MCP servers from an agent's settings. Some agents name a server's tool `server_tool`, which looks
 * like one of their own tools, so only the settings tell them apart.
 */

import { readFileSync } from 'node:fs';
import type { McpSettings } from '../agents/shared/mcp-settings.ts';
import { isPlain } from '../events/changes.ts';
import type { Locations } from '../events/dialect.ts';
import { readDocument } from '../events/document.ts';

export function namedMcpServers(settings: McpSettings, locations: Required<Locations>): ReadonlySet<string> {
  const scopes = ['user', 'project'] as const;
  const files = scopes.flatMap((scope) => settings.files({ scope, ...locations }));
  return new Set(files.flatMap((file) => namesIn(file, settings.under)));
}

/** A missing or unreadable file names no servers. The agent that owns the file reports it. */
function namesIn(file: string, under: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  const { value } = readDocument(text, file);
  const servers = isPlain(value) && Object.hasOwn(value, under) ? value[under] : undefined;
  return isPlain(servers) ? Object.keys(servers) : [];
}
