import { anyText, listOf, mapOf, record, sayUnknown, type Shape, shown, type Spot, text } from './checker.ts';
import type { McpServer } from './hook.ts';

const texts = mapOf(anyText);

/** Checks the description of an MCP server in a settings file: a program or a URL. */
export const mcpServer: Shape<McpServer> = (spot) => {
  if (record(spot) === undefined) return undefined;
  return spot.part('url').value === undefined ? programAt(spot) : addressAt(spot);
};

function programAt(spot: Spot): McpServer | undefined {
  knownKeys(spot, ['type', 'command', 'args', 'env', 'cwd']);
  if (spot.part('command').value === undefined) {
    spot.report('bad-value', 'has neither command nor url', {
      remedy: 'Add a command to start the server, or its url.',
    });
    return undefined;
  }
  const command = text(spot.part('command'));
  const args = optional(spot.part('args'), listOf(anyText));
  const env = optional(spot.part('env'), texts);
  const cwd = optional(spot.part('cwd'), text);
  if (command === undefined) return undefined;
  return { command, ...(args && { args }), ...(env && { env }), ...(cwd !== undefined && { cwd }) };
}

function addressAt(spot: Spot): McpServer | undefined {
  knownKeys(spot, ['type', 'url', 'headers']);
  if (spot.part('type').value === 'sse') {
    const remedy = 'Use the streamable HTTP URL of the server.';
    spot.part('type').report('bad-value', 'is "sse", a transport that MCP no longer supports', { remedy });
    return undefined;
  }
  const url = text(spot.part('url'));
  const headers = optional(spot.part('headers'), texts);
  if (url === undefined) return undefined;
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    spot.part('url').report('bad-value', `is ${shown(url)}`, { remedy: 'Use an http or https URL.' });
    return undefined;
  }
  return { url, ...(headers && { headers }) };
}

const optional = <T>(spot: Spot, shape: Shape<T>): T | undefined =>
  spot.value === undefined ? undefined : shape(spot);

function knownKeys(spot: Spot, known: readonly string[]): void {
  for (const key of Object.keys(spot.value as object))
    if (!known.includes(key)) sayUnknown(spot.part(key), key, known, 'warning');
}
