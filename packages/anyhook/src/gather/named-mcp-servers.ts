/**
 * The MCP servers that an agent's settings name. Some agents call a server's tool `server_tool`, and tools of their own look the
 * same; only the settings tell them apart.
 */
import { readFileSync } from 'node:fs';
import { isPlain } from '../events/changes.ts';
import type { Locations } from '../events/dialect.ts';
import { readDocument } from '../events/document.ts';
import type { McpSettings } from '../agents/shared/mcp-settings.ts';

export function namedMcpServers(settings: McpSettings, locations: Required<Locations>): ReadonlySet<string> {
  const scopes = ['user', 'project'] as const;
  const files = scopes.flatMap((scope) => settings.files({ scope, ...locations }));
  return new Set(files.flatMap((file) => namesIn(file, settings.under)));
}

/** A file that is missing or unreadable names no server here. The agent that owns it reports it. */
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
