/** The notification recipes of docs/approvals.md, run as written, against a local server in place of the services. */

import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/approvals.md'), 'utf8');
const [, block = ''] = /```sh\n(# ntfy[^`]*)```/.exec(PAGE) ?? [];
const recipes = [...block.matchAll(/^# (\w+)\n(.+)$/gm)].map(
  ([, name = '', line = '']) => [name, line] as const,
);
const hasPrograms = ['jq', 'curl'].every((name) => spawnSync(name, ['--version']).status === 0);
const QUESTION = { agent: 'codex', call: '{"command":"git push; echo \\"$(id)\\""}', hash: 'a'.repeat(64) };

test('the page has a recipe for ntfy and one for Telegram', () => {
  expect(recipes.map(([name]) => name)).toEqual(['ntfy', 'Telegram']);
});

test.skipIf(!hasPrograms).each(recipes)('the recipe for %s sends the call as it is', async (_, line) => {
  const got: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      got.push({ url: request.url ?? '', headers: request.headers, body });
      response.end('ok');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const command = line.replaceAll(/https:\/\/[\w.]+/g, local);
  const code = await new Promise((resolve) => {
    const child = execFile(
      'sh',
      ['-c', command],
      { env: { ...process.env, CHAT: '42', TOKEN: 't' } },
      (error) => resolve(error?.code ?? 0),
    );
    child.stdin?.end(JSON.stringify(QUESTION));
  });
  server.close();
  expect(code).toBe(0);
  expect(got).toHaveLength(1);
  // The text of the call is data to every program on the way.
  expect(got[0]!.body).toContain('$(id)');
});
