/** Tests real MCP servers: the reference server over stdio, and a small one over streamable HTTP. */

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { scene } from './fixtures/scene.ts';
import { type McpTerms, openMcpTools } from './mcp.ts';

const EVERYTHING = join(
  import.meta.dirname,
  '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);
const everything = { command: process.execPath, args: [EVERYTHING, 'stdio'] };

function ground(files: { readonly own?: object; readonly project?: object }) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [home, cwd] = [join(base, 'home'), join(base, 'project')];
  const write = (file: string, mcpServers: object | undefined) => {
    mkdirSync(dirname(file), { recursive: true });
    if (mcpServers !== undefined) writeFileSync(file, JSON.stringify({ mcpServers }));
  };
  write(join(home, '.config/anyhook-agent/mcp.json'), files.own);
  write(join(cwd, '.mcp.json'), files.project);
  return { home, cwd, env: { TOKEN: 'secret-token' } };
}
async function opened(terms: McpTerms) {
  const mcp = await openMcpTools(terms);
  onTestFinished(() => mcp.close());
  const use = (name: string, input: object, at = scene()) =>
    mcp.tools.find((tool) => tool.name === name)!.execute({ ...input }, at);
  return { ...mcp, use };
}

/** Has one session at a time and records what it receives. */
async function small(): Promise<{ url: string; tokens: (string | undefined)[] }> {
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    tokens.push(request.headers.authorization);
    const mcp = new McpServer({ name: 'small', version: '1' });
    mcp.registerTool('greet', { inputSchema: { name: z.string() } }, ({ name }) => ({
      content: [{ type: 'text', text: `hello ${name}` }],
    }));
    mcp.registerTool('fail', {}, () => ({ content: [{ type: 'text', text: 'it broke' }], isError: true }));
    mcp.registerTool('hang', {}, () => new Promise(() => {}));
    const transport = new StreamableHTTPServerTransport({});
    void mcp
      .connect(transport as Parameters<typeof mcp.connect>[0])
      .then(() => transport.handleRequest(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, tokens };
}

describe('over stdio', () => {
  test('the tools of the stdio reference server are available under their full names', async () => {
    const { tools, problems, use } = await opened(ground({ own: { every: everything } }));
    expect(problems).toEqual([]);
    expect(tools.length).toBeGreaterThan(5);
    expect(tools.every(({ name }) => name.startsWith('mcp__every__'))).toBe(true);
    expect(await use('mcp__every__echo', { message: 'hi' })).toEqual({
      output: 'Echo: hi',
      title: 'every: echo',
    });
    const image = await use('mcp__every__get-tiny-image', {});
    expect(image.output).toMatch(/\[image, image\/png, \d+ characters of base64\]/);
    expect((await use('mcp__every__echo', { message: 5 })).isError).toBe(true);
    expect(tools.find(({ name }) => name === 'mcp__every__echo')?.parameters).toMatchObject({
      type: 'object',
      required: ['message'],
    });
  });

  test('an abort ends a running MCP call, and the server keeps running', async () => {
    const { use } = await opened(ground({ own: { every: everything } }));
    const stop = new AbortController();
    const running = use(
      'mcp__every__trigger-long-running-operation',
      { duration: 600, steps: 600 },
      scene({ signal: stop.signal }),
    );
    setTimeout(() => stop.abort(), 100);
    await expect(running).rejects.toThrow('aborted');
    expect((await use('mcp__every__echo', { message: 'still here' })).output).toBe('Echo: still here');
  });

  test('a dead MCP server is reported with its output, and the others start', async () => {
    const program = (code: string) => ({ command: process.execPath, args: ['-e', code] });
    const { tools, problems } = await opened({
      ...ground({
        own: {
          dies: program('console.error("no database"); process.exit(3)'),
          silent: program('setInterval(() => {}, 1000)'),
          absent: { command: 'no-such-program-anywhere' },
          every: everything,
        },
      }),
      startMs: 5_000,
    });
    expect(tools.length).toBeGreaterThan(5);
    expect(problems.toSorted().map((text) => text.replace(/^.*the MCP server /, ''))).toEqual([
      expect.stringMatching(/^'absent' could not be started: .*ENOENT/) as string,
      expect.stringMatching(/^'dies' could not be started: .*its output: no database/) as string,
      "'silent' did not start within 5000 ms.",
    ]);
  });

  test('an MCP server that dies later fails only its calls, and close ends the rest', async () => {
    const at = ground({});
    const file = join(at.cwd, 'pid');
    const wrapped = `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); process.argv.splice(1, 1, '', 'stdio'); import(${JSON.stringify(EVERYTHING)})`;
    mkdirSync(join(at.home, '.config/anyhook-agent'), { recursive: true });
    writeFileSync(
      join(at.home, '.config/anyhook-agent/mcp.json'),
      JSON.stringify({ mcpServers: { every: { command: process.execPath, args: ['-e', wrapped, 'x'] } } }),
    );
    const { use, problems, close } = await opened(at);
    expect(problems).toEqual([]);
    const pid = Number(readFileSync(file, 'utf8'));
    process.kill(pid, 'SIGKILL');
    const first = await use('mcp__every__echo', { message: 'x' });
    expect(first).toMatchObject({ isError: true });
    expect((await use('mcp__every__echo', { message: 'x' })).output).toBe(
      "The MCP server 'every' has ended.",
    );
    await close();
  });
});

describe('over streamable HTTP', () => {
  test('tools over HTTP are called with the headers in the file, and a tool error stays an error', async () => {
    const { url, tokens } = await small();
    const headers = { Authorization: 'Bearer ${TOKEN}' };
    const { tools, use, problems } = await opened(ground({ own: { web: { type: 'http', url, headers } } }));
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(['mcp__web__greet', 'mcp__web__fail', 'mcp__web__hang']);
    expect(await use('mcp__web__greet', { name: 'you' })).toEqual({
      output: 'hello you',
      title: 'web: greet',
    });
    expect(await use('mcp__web__fail', {})).toMatchObject({ output: 'it broke', isError: true });
    expect(new Set(tokens)).toEqual(new Set(['Bearer secret-token']));
  });

  test('an abort ends a hanging HTTP call, and an unreachable address is reported', async () => {
    const { url } = await small();
    const { use, problems } = await opened(
      ground({ own: { web: { url }, nobody: { url: 'http://127.0.0.1:1/mcp' } } }),
    );
    expect(problems).toEqual([
      expect.stringMatching(/the MCP server 'nobody' could not be started: fetch failed/) as string,
    ]);
    const running = use('mcp__web__hang', {}, scene({ signal: AbortSignal.timeout(200) }));
    await expect(running).rejects.toThrow();
  });
});

describe('of a project', () => {
  /** Creates a file when it starts. */
  const leavingTrace = (cwd: string) => {
    writeFileSync(
      join(cwd, 'server.mjs'),
      `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(join(cwd, 'started'))}, 'yes');
process.argv[2] = 'stdio';
await import(${JSON.stringify(EVERYTHING)});
`,
    );
    writeFileSync(
      join(cwd, '.mcp.json'),
      JSON.stringify({ mcpServers: { every: { command: process.execPath, args: ['./server.mjs'] } } }),
    );
  };

  test('a project MCP server does not start before the user trusts it, and then the trusted bytes run', async () => {
    const at = ground({});
    leavingTrace(at.cwd);
    const untrusted = await opened(at);
    expect([untrusted.tools, existsSync(join(at.cwd, 'started'))]).toEqual([[], false]);
    expect(untrusted.problems).toEqual([
      expect.stringMatching(
        /mcpServers\.every comes from the project and was never trusted; it is not started\./,
      ) as string,
    ]);
    const hashes = untrusted.found.examined.map(({ judgement }) => judgement.hash);
    // Control: with the exact hash it starts and creates the file.
    const trusted = await opened({ ...at, hashes });
    expect(trusted.problems).toEqual([]);
    expect(trusted.tools.length).toBeGreaterThan(5);
    expect(existsSync(join(at.cwd, 'started'))).toBe(true);
    await trusted.close();
    rmSync(join(at.cwd, 'started'));
    writeFileSync(
      join(at.cwd, 'server.mjs'),
      `${readFileSync(join(at.cwd, 'server.mjs'), 'utf8')}// changed\n`,
    );
    const changed = await opened({ ...at, hashes });
    expect([changed.tools, existsSync(join(at.cwd, 'started'))]).toEqual([[], false]);
  });

  test('an HTTP server of a project is not contacted without trust', async () => {
    const { url, tokens } = await small();
    const at = ground({ project: { web: { url } } });
    const { tools, found } = await opened(at);
    expect([tools, tokens]).toEqual([[], []]);
    const hashes = found.examined.map(({ judgement }) => judgement.hash);
    expect((await opened({ ...at, hashes })).tools).toHaveLength(3);
    expect(tokens.length).toBeGreaterThan(0);
  });

  test('the MCP server of the user wins over a project server with the same name', async () => {
    const { url } = await small();
    const at = ground({ own: { web: { url } }, project: { web: { url: `${url}/other` } } });
    const hashes = (await opened(at)).found.examined.map(({ judgement }) => judgement.hash);
    const { tools, problems } = await opened({ ...at, hashes });
    expect(tools).toHaveLength(3);
    expect(problems).toEqual([expect.stringContaining('mcp.json has a server with the same name') as string]);
  });

  test('a broken MCP file is reported with the location', async () => {
    const at = ground({});
    writeFileSync(join(at.cwd, '.mcp.json'), '{ "mcpServers": { "x": ');
    const { tools, problems } = await opened(at);
    expect([tools.length, problems.length]).toEqual([0, 1]);
    expect(problems[0]).toContain('.mcp.json');
  });
});
