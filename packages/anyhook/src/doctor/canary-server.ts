/** An MCP server in one file, for the probe: its one tool leaves the mark that a command would leave. */
export const canaryServer = (mark: string): string => `'use strict';
const { createInterface } = require('node:readline');
const { writeFileSync } = require('node:fs');
const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'probe', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [{ name: 'touch', description: 'Leaves a mark.', inputSchema: { type: 'object', properties: {} } }],
  }),
  'tools/call': () => {
    writeFileSync(${JSON.stringify(mark)}, '');
    return { content: [{ type: 'text', text: 'done' }] };
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = ANSWERS[method]?.(params ?? {});
  const said = result ? { result } : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...said }) + '\\n');
});
`;
