import { describe, expect, test } from 'vitest';
import { asker, viewGround, write } from './fixtures/ground.ts';

const API = [
  '/api/state',
  '/api/session?key=s',
  '/api/hooks',
  '/api/chain?key=s',
  '/api/refusal?key=s&at=0&by=x',
  '/api/stream',
];

describe('the server of the view', () => {
  test('the server answers nothing to a browser without the token or with a wrong one', async () => {
    const ground = viewGround();
    write(ground.open('s'), 'a secret thing');
    const { ask, token } = await asker(ground);
    for (const path of API)
      for (const given of [undefined, '', 'x'.repeat(token.length), `${token}x`]) {
        const { status, text } = await ask(path, given === undefined ? {} : { 'x-anyhook-token': given });
        expect([path, status, text.includes('secret thing')]).toEqual([path, 401, false]);
      }
    expect((await ask('/api/session?key=s')).text).toContain('a secret thing'); // with the right token it answers
  });

  test('the server does not accept the token in the address, where other programs could read it', async () => {
    const { ask, token } = await asker(viewGround());
    expect((await ask(`/api/state?token=${token}&x-anyhook-token=${token}`, {})).status).toBe(401);
  });

  test('the server answers only to its own host name, against DNS rebinding', async () => {
    const { ask, token, origin } = await asker(viewGround());
    const own = { 'x-anyhook-token': token };
    const { port } = new URL(origin);
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${Number(port) - 1}`])
      expect((await ask('/api/state', { ...own, host })).status).not.toBe(200);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`])
      expect((await ask('/api/state', { ...own, host })).status).toBe(200);
  });

  test('the server refuses pages of another origin, even with the token', async () => {
    const { ask, token, origin } = await asker(viewGround());
    const own = { 'x-anyhook-token': token };
    for (const other of ['https://evil.example', 'null', origin.replace('http:', 'https:'), `${origin}0`])
      expect((await ask('/api/state', { ...own, origin: other })).status).toBe(403);
    expect((await ask('/api/state', { ...own, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await ask('/api/state', { ...own, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await ask('/api/state', { ...own, origin })).status).toBe(200);
  });

  test('the server is read-only: it answers only GET requests', async () => {
    const { ask, token } = await asker(viewGround());
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect((await ask('/api/state', { 'x-anyhook-token': token }, method)).status).toBe(405);
  });

  test('the page may load nothing from elsewhere and may not be framed', async () => {
    const { ask } = await asker(viewGround());
    for (const path of ['/', '/page.js', '/page.css', '/api/state', '/nothing']) {
      const { headers } = await ask(path);
      expect(headers['content-security-policy']).toMatch(/^default-src 'self';/);
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
    const { text } = await ask('/', {});
    expect(text).not.toMatch(/https?:|<script>|style=|\son\w+=/);
  });

  test('the server answers unknown paths and values with not found', async () => {
    const { ask } = await asker(viewGround());
    const odd = ['../../../etc/passwd', '%00', '__proto__', 'x'.repeat(5000), '..%2f..%2fpasswd'];
    for (const key of odd) {
      expect((await ask(`/api/session?key=${key}`)).status).toBe(404);
      expect((await ask(`/api/chain?key=${key}`)).status).toBe(404);
      expect((await ask(`/api/refusal?key=${key}&at=-1&by=__proto__`)).status).toBe(404);
    }
    for (const path of ['/constructor', '/api/__proto__', '//evil.example/', '/page.js/..']) {
      const { status } = await ask(path);
      expect([path, [200, 404].includes(status)]).toEqual([path, true]);
    }
  });

  test('two views have their own ports and tokens', async () => {
    const ground = viewGround();
    const [one, other] = [await asker(ground), await asker(ground)];
    expect(one.origin).not.toBe(other.origin);
    expect((await one.ask('/api/state', { 'x-anyhook-token': other.token })).status).toBe(401);
    expect([(await one.ask('/api/state')).status, (await other.ask('/api/state')).status]).toEqual([
      200, 200,
    ]);
  });
});
