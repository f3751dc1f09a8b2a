/** On Linux as root, runs an agent in a network with loopback only. */

import { spawnSync } from 'node:child_process';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./loopback.mjs', import.meta.url));
const answers = (file: string, ...args: string[]) =>
  spawnSync(file, args, { env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' } }).status === 0;

export const canSeal =
  process.platform === 'linux' && answers('unshare', '-n', 'true') && answers('ip', '-V');

export interface Seal {
  /** The same command line, restricted to these loopback ports. */
  line(file: string, args: readonly string[]): readonly [string, readonly string[]];
  close(): void;
}

export async function seal(folder: string, ports: readonly number[]): Promise<Seal> {
  if (!canSeal) return { line: (file, args) => [file, args], close() {} };
  const servers: Server[] = [];
  const doors: Record<string, string> = {};
  for (const port of ports) {
    const socket = (doors[port] = join(folder, `${port}.sock`));
    const server = createServer((from) => {
      const to = connect(port, '127.0.0.1');
      from.pipe(to).pipe(from);
      for (const end of [from, to]) end.on('error', () => (from.destroy(), to.destroy()));
    });
    await new Promise<void>((ready) => server.listen(socket, ready));
    servers.push(server);
  }
  return {
    line: (file, args) => [
      'unshare',
      ['-n', '--', process.execPath, PROGRAM, JSON.stringify(doors), file, ...args],
    ],
    close: () => void servers.map((server) => server.close()),
  };
}
