/** A table of hook failures for every kind of hook, with real processes, modules and servers. */

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FailureKind } from '../../src/events/exchange.ts';
import type { Way } from '../../src/events/hook.ts';

export interface FaultRow {
  readonly kind: Way['kind'];
  readonly name: string;
  readonly way: Way;
  /** The expected failure kinds; several where timing decides. */
  readonly called: readonly FailureKind[];
  /** The deadline in milliseconds; long where the row is not about time. */
  readonly timeoutMs: number;
}

const LONG_MS = 60_000;
/** Long enough for a process to start on a busy machine. */
const SHORT_MS = 1_500;
const NODE = `'${process.execPath}'`;
const fixture = (path: string) => fileURLToPath(new URL(`../../src/runners/${path}`, import.meta.url));

const row = (
  way: Way,
  name: string,
  called: FailureKind | readonly FailureKind[],
  timeoutMs = LONG_MS,
): FaultRow => ({ kind: way.kind, name, way, called: [called].flat(), timeoutMs });

export function commandFaults(folder: string): FaultRow[] {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const file = (name: string, text: string, mode: number): string => {
    const path = join(folder, 'bin', name);
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };
  const line = (text: string): Way => ({ kind: 'command', run: { line: text }, env: 'inherit' });
  const program = (path: string): Way => ({ kind: 'command', run: { argv: [path] }, env: 'inherit' });
  const script = '#!/bin/sh\nexit 0\n';
  const HANGS = 'timed-out';
  return [
    row(line('exit 1'), 'exit 1', 'failed'),
    row(line('echo broken >&2; exit 3'), 'exit 3 with a complaint', 'failed'),
    row(line('echo all is well; exit 1'), 'exit 1 with plain text', 'failed'),
    row(line('exit 255'), 'exit 255', 'failed'),
    row(line('no-such-program-anywhere'), 'command not found (127)', 'failed'),
    row(line(`'${file('plain', script, 0o644)}'`), 'no permission to run it (126)', 'failed'),
    row(line(file('my guard', script, 0o755)), 'a path with spaces that nobody quoted', 'failed'),
    row(line('./guard.sh'), 'a relative path, and another working folder', 'failed'),
    row(line('PATH=/no/bin; env true'), 'the PATH of an agent that was started from a desktop', 'failed'),
    row(
      line(`${NODE} ${file('lost.mjs', "import 'no-such-package';", 0o644)}`),
      'its import fails',
      'failed',
    ),
    row(
      line(`${NODE} ${file('torn.mjs', 'export const = ;', 0o644)}`),
      'its file has a slip of the pen',
      'failed',
    ),
    row(program(join(folder, 'bin/missing')), 'the program is missing', 'not-started'),
    row(program(file('mode', script, 0o644)), 'the program may not be run', 'not-started'),
    row(
      program(file('lost', '#!/no/such/interpreter\n', 0o755)),
      'its interpreter is missing',
      'not-started',
    ),
    row(
      program(file('dos', '#!/no/such/sh\r\nexit 0\r\n', 0o755)),
      'Windows line ends after the interpreter',
      ['not-started', 'failed'],
    ),
    row(program(file('empty', '\u0001\u0002', 0o755)), 'no program at all', ['not-started', 'failed']),
    row(line('kill -KILL $$'), 'killed', 'killed'),
    row(line('kill -SEGV $$'), 'crashed', 'killed'),
    row(line('sh -c "kill -SEGV \\$\\$"; exit 139'), 'a crash inside of its shell', 'failed'),
    row(line('exec sleep 300'), 'it hangs', HANGS, SHORT_MS),
    row(line("trap '' TERM; while :; do sleep 1; done"), 'it hangs and is deaf to TERM', HANGS, SHORT_MS),
    row(line('kill -STOP $$'), 'it has stopped itself', HANGS, SHORT_MS),
    row(
      line('setsid sleep 300 & sleep 300'),
      'it hangs, with a child in a session of its own',
      HANGS,
      SHORT_MS,
    ),
    row(line('cat <&- ; exec sleep 300'), 'it hangs without reading', HANGS, SHORT_MS),
    row(line('while :; do echo tick; sleep 0.1; done'), 'it drips for ever', HANGS, SHORT_MS),
    row(line('yes'), 'it prints without end', ['unreadable', 'killed', 'failed']),
    row(line(`echo '{"decision":"allow"'`), 'half an answer', 'unreadable'),
    row(line(`echo '{"decision":"allow"}{"decision":"allow"}'`), 'two answers', 'unreadable'),
    row(line(`echo '{"decision":"deny","decision":"approve"}'`), 'one key twice', 'unreadable'),
    row(line(`echo '{"decision":"ALLOW"}'`), 'a word in the wrong case', 'unreadable'),
    row(line(`echo '{"decision":"sure"}'`), 'an unknown word', 'unreadable'),
    row(line(`echo '{"decision":true}'`), 'a word of the wrong type', 'unreadable'),
    row(line(`printf '{"decision":"approve","reason":"\\377"}'`), 'an answer that is no UTF-8', 'unreadable'),
    row(line(`printf '{"decision":"approve"}\\000'`), 'an answer with a NUL', 'unreadable'),
    row(line(`printf '\\033[32m{"decision":"approve"}\\033[0m'`), 'an answer in colours', 'unreadable'),
    row(line(`printf '%1200000s' x; echo '{"decision":"approve"}'`), 'an answer behind 1.2 MB', 'unreadable'),
  ];
}

/** Functions of a program, in its own process. */
export function callFaults(): FaultRow[] {
  const call = (fn: () => unknown): Way => ({ kind: 'call', fn: fn as never });
  const raise = (value: unknown) => () => {
    throw value;
  };
  const hostile = new Proxy(
    {},
    {
      get: () => {
        throw new Error('do not touch');
      },
    },
  );
  return [
    row(call(raise(new Error('bug'))), 'it throws', 'failed'),
    row(call(raise(null)), 'it throws nothing', 'failed'),
    row(call(raise('text')), 'it throws a text', 'failed'),
    row(call(raise(hostile)), 'it throws what cannot be looked at', 'failed'),
    row(
      call(() => Promise.reject(new Error('later'))),
      'it rejects',
      'failed',
    ),
    row(
      call(() => new Promise(() => {})),
      'it never comes back',
      'timed-out',
      SHORT_MS,
    ),
    row(
      call(() => 42),
      'it returns a number',
      'unreadable',
    ),
    row(
      call(() => ({ decision: 'sure' })),
      'it returns an unknown word',
      'unreadable',
    ),
    row(
      call(() => [{ kind: 'approve' }]),
      'it returns an unknown effect',
      'unreadable',
    ),
  ];
}

/** Modules in their own process; `index` is the first hook of the file. */
export function isolatedFaults(): FaultRow[] {
  const module = (name: string): Way => ({
    kind: 'isolated',
    file: fixture(`isolated/fixtures/${name}`),
    index: 0,
  });
  return [
    row(module('exits.mjs'), 'the module ends its process', ['killed', 'failed']),
    row(module('kills-itself.mjs'), 'the module kills its process', ['killed', 'failed']),
    row(module('never-resolves.ts'), 'the module never comes back', 'timed-out', SHORT_MS),
    row(module('spins.ts'), 'the module spins', 'timed-out', SHORT_MS),
    row(module('throws-null.mjs'), 'the module throws nothing', 'failed'),
    row(module('talks-nonsense.mjs'), 'the module writes nonsense to the host', 'unreadable'),
  ];
}

/** A server that treats each path as its name says. */
export async function startBadServer(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server: Server = createServer((request, response) => {
    switch (request.url) {
      case '/404':
        return void response.writeHead(404).end('{"decision":"approve"}');
      case '/500':
        return void response.writeHead(500).end();
      case '/redirect':
        return void response.writeHead(302, { location: '/200' }).end();
      case '/text':
        return void response.writeHead(200, { 'content-type': 'text/plain' }).end('sure');
      case '/half':
        return void response.writeHead(200).end('{"decision":"appro');
      case '/cut':
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"decision"');
        return void setTimeout(() => response.destroy(), 50);
      case '/endless':
        response.writeHead(200);
        return void setInterval(() => response.write('x'.repeat(100_000)), 1).unref();
      case '/200':
        return void response.writeHead(200).end('{"decision":"approve"}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => (server.closeAllConnections(), void server.close()) };
}

export function httpFaults(url: string): FaultRow[] {
  const at = (path: string): Way => ({ kind: 'http', url: `${url}${path}` });
  return [
    row({ kind: 'http', url: 'http://127.0.0.1:9/' }, 'nobody listens', 'not-started'),
    row({ kind: 'http', url: 'https://127.0.0.1:9/' }, 'nobody listens, with TLS', 'not-started'),
    row(at('/404'), 'status 404 with an approval', 'failed'),
    row(at('/500'), 'status 500', 'failed'),
    row(at('/redirect'), 'it sends elsewhere', 'failed'),
    row(at('/text'), 'an answer that is no JSON', 'unreadable'),
    row(at('/half'), 'half an answer by HTTP', 'unreadable'),
    row(at('/cut'), 'cut in the middle', ['failed', 'unreadable']),
    row(at('/endless'), 'an answer without end', ['unreadable', 'failed']),
    row(at('/silence'), 'headers that never come', 'timed-out', SHORT_MS),
  ];
}

export function mcpFaults(): FaultRow[] {
  /** One server per row, so that a fault does not affect the next row. */
  const tool = (name: string, how = 'plain'): Way => ({
    kind: 'mcp',
    server: { command: process.execPath, args: [fixture('mcp/fixtures/stdio-server.mjs'), how, name] },
    tool: name,
  });
  return [
    row(
      { kind: 'mcp', server: { command: '/no/such/server' }, tool: 'echo' },
      'no such server',
      'not-started',
    ),
    row(tool('echo', 'dies-at-start'), 'the server dies at its start', 'not-started'),
    row(tool('refuse'), 'isError', 'failed'),
    row(tool('no-such-tool'), 'no such tool', ['failed', 'unavailable', 'not-started']),
    row(tool('die'), 'the server dies in the call', ['failed', 'killed']),
    row(tool('hang'), 'the tool hangs', 'timed-out', 10_000),
  ];
}

export function promptFaults(): FaultRow[] {
  const ask = (text: string): Way => ({ kind: 'prompt', text });
  return [
    row(ask('throws'), 'the model fails', 'failed'),
    row(ask('prose'), 'the model answers in prose', 'unreadable'),
    row(ask('number'), 'the model answers with a number', 'unreadable'),
    row(ask('approves wrongly'), 'the model answers {"ok":"yes"}', 'unreadable'),
    row(ask('hangs'), 'the model never answers', 'timed-out', SHORT_MS),
  ];
}
/** The answers of a host model to the prompts above. */
export async function judge(text: string): Promise<string> {
  const [word] = /throws|prose|number|approves|hangs/.exec(text) ?? [];
  if (word === 'throws') throw new Error('no credit');
  if (word === 'hangs') return new Promise(() => {});
  if (word === 'number') return 7 as never;
  return word === 'prose' ? 'I would say yes.' : '{"ok":"yes"}';
}
