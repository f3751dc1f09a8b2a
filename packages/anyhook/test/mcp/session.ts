/** Sends raw messages to the proxy that a client of the official SDK would never send. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, vi } from 'vitest';
import { BIN, type Ground, PATIENT } from './ground.ts';

export interface Session {
  readonly child: ChildProcessWithoutNullStreams;
  send(...lines: readonly (string | object)[]): void;
  /** Messages that came, in order. */
  readonly came: Record<string, unknown>[];
  answer(id: unknown): Promise<Record<string, unknown>>;
  stderr(): string;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<unknown>;
}
/** The proxy, spoken to by hand. */
export function session(at: Ground, words: readonly string[]): Session {
  const child = spawn(process.execPath, [BIN, 'mcp', '--name', 'full', ...words], {
    cwd: at.project,
    env: at.env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => {});
  const came: Record<string, unknown>[] = [];
  let said = '';
  createInterface(child.stdout).on('line', (line) => came.push(JSON.parse(line) as Record<string, unknown>));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const found = (id: unknown) => came.find((one) => one['id'] === id && one['method'] === undefined);
  return {
    child,
    came,
    send: (...lines) => {
      for (const line of lines)
        child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    },
    answer: async (id) => {
      await vi.waitFor(() => expect(found(id)).toBeDefined(), PATIENT);
      return found(id)!;
    },
    stderr: () => said,
    ended: once(child, 'close').then(([code]) => code as unknown),
  };
}
export const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'hand', version: '1' } },
};
export const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
export const call = (id: unknown, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
