/** A proxy for all connections outside loopback, which records and refuses them. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Outside {
  readonly #server: Server;
  readonly reached: string[] = [];
  onReach: ((line: string) => void) | undefined;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#note(`${request.method} ${request.url}`);
      response.writeHead(502).end();
    });
    this.#server.on('connect', (request, socket) => {
      this.#note(`CONNECT ${request.url}`);
      socket.on('error', () => undefined); // The client closes the connection on a refusal.
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
  }
  #note(line: string): void {
    this.reached.push(line);
    this.onReach?.(line);
  }
  async open(): Promise<Readonly<Record<string, string>>> {
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready));
    const proxy = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
    return {
      ...Object.fromEntries(names.map((name) => [name, proxy])),
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
    };
  }
  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
