// `node conformance-client.mjs <straight|through> <url>`: lists and calls all that the server offers, as the protocol's own
// conformance suite wants it; `through`: behind our proxy, so that what the suite's server sees is the proxy.

import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const CLI = fileURLToPath(new URL('../../dist/bin/anyhook.cjs', import.meta.url));
const [how, url = ''] = process.argv.slice(2);
const capabilities = { elicitation: { form: { applyDefaults: true } }, sampling: {} };
const client = new Client({ name: 'conformance', version: '1' }, { capabilities });
client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} }));
await client.connect(
  how === 'straight'
    ? new StreamableHTTPClientTransport(new URL(url))
    : new StdioClientTransport({
        command: process.execPath,
        args: [CLI, 'mcp', '--http', url],
        env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
      }),
);
const { tools } = await client.listTools();
for (const { name } of tools)
  await client.callTool({ name, arguments: name === 'add_numbers' ? { a: 5, b: 3 } : {} });
await client.close();
