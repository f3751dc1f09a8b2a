import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, redact } from './redact.ts';

const plain = (value: unknown, bound?: number) => createRedactor().plain(value, bound);
const back = (value: unknown): unknown => JSON.parse(plain(value).bytes.toString());

// oxlint-disable-next-line no-control-regex
const RAW = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]/;

describe('plain values', () => {
  test('returns any JSON value without secrets unchanged', () => {
    const redactor = createRedactor();
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const { bytes, redacted, cut } = redactor.plain(value);
        if (redacted + cut === 0)
          expect(JSON.parse(bytes.toString())).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: Number(process.env['RUNS'] ?? 2_000) },
    );
  });

  test('writes numbers as JSON does', () => {
    const redactor = createRedactor();
    const written = (value: number) => redactor.plain([value]).bytes.toString();
    const odd = [
      0, -0, 0.001, 0.1, 9.999, 10, 1352.802, 0.9996, 2147483647.999, 2147483648, 1e21, 1e-7, -1.5,
    ];
    for (const value of odd) expect(written(value)).toBe(JSON.stringify([value]));
    const thousandth = fc.integer({ min: 0, max: 2 ** 43 }).map((n) => n / 1000);
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.oneof(thousandth, fc.integer(), any), (value) => {
        if (written(value) !== JSON.stringify([value])) throw new Error(`${value}: ${written(value)}`);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 10_000) },
    );
  });

  test('finds a secret or special character at any position of a text', () => {
    const redactor = createRedactor({ secrets: ['swordfish'] });
    const token = 'ghp_' + 'a1B2'.repeat(9);
    for (let before = 0; before < 30; before++)
      for (let after = 0; after < 10; after++) {
        const around = (middle: string) => `${'.'.repeat(before)}${middle}${'.'.repeat(after)}`;
        for (const [secret, said] of [
          [token, '[redacted:github-token]'],
          ['swordfish', '[redacted:secret]'],
        ] as const) {
          const { bytes, redacted } = redactor.plain(around(secret));
          expect([JSON.parse(bytes.toString()), redacted]).toEqual([around(said), 1]);
        }
        for (const odd of ['"', '\\', '\n', '\u007f', 'ü', '\u2028']) {
          const line = redactor.plain(around(odd)).bytes.toString();
          expect([JSON.parse(line), RAW.test(line)]).toEqual([around(odd), false]);
        }
      }
  });

  test('redacts a secret in a field name and counts it each time', () => {
    const redactor = createRedactor();
    const twice = [{ 'Pwd:hunter2hunter2': 1 }, { 'Pwd:hunter2hunter2': 2 }];
    const { bytes, redacted } = redactor.plain(twice);
    expect([JSON.parse(bytes.toString()), redacted]).toEqual([
      [{ 'Pwd:[redacted:pwd]': 1 }, { 'Pwd:[redacted:pwd]': 2 }],
      2,
    ]);
  });

  test('writes hostile strings on one line without raw control characters', () => {
    const redactor = createRedactor();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { bytes, redacted } = redactor.plain({ text });
        const line = bytes.toString();
        if (RAW.test(line)) throw new Error(`a raw control character: ${line}`);
        if (redacted === 0 && JSON.parse(line).text !== text) throw new Error(`changed: ${line}`);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 10_000) },
    );
  });

  test('describes values that JSON lacks, and never throws', () => {
    const circle: Record<string, unknown> = { name: 'circle' };
    circle['self'] = circle;
    class Point {
      x = 1;
    }
    const throws = Object.defineProperty({ good: 1 }, 'bad', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const rude = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('go away');
        },
      },
    );
    expect(
      back({
        circle,
        throws,
        revoked: revoked.proxy,
        rude,
        big: 12n,
        nan: Number.NaN,
        named: function someName() {},
        symbol: Symbol('s'),
        map: new Map([['a', 1]]),
        pairs: new Map([[1, 2]]),
        set: new Set(['x']),
        date: new Date(0),
        broken: new Date(Number.NaN),
        url: new URL('https://example.com/a'),
        bytes: new Uint8Array(3),
        point: new Point(),
        headers: new Headers({ accept: 'text/html' }),
        nothing: undefined,
        list: [undefined, null],
        ['__proto__']: 1,
      }),
    ).toEqual({
      circle: { name: 'circle', self: '[circular]' },
      throws: { good: 1, bad: '[unreadable: no]' },
      revoked: expect.stringContaining('[unreadable:'),
      rude: '[unreadable: go away]',
      big: '12',
      nan: 'NaN',
      named: '[function someName]',
      symbol: 'Symbol(s)',
      map: { a: 1 },
      pairs: [[1, 2]],
      set: ['x'],
      date: '1970-01-01T00:00:00.000Z',
      broken: 'Invalid Date',
      url: 'https://example.com/a',
      bytes: '[3 bytes]',
      point: { x: 1 },
      headers: { accept: 'text/html' },
      list: [null, null],
      ['__proto__']: 1,
    });
  });

  test('reads a property only once, so that redaction and output see the same value', () => {
    let reads = 0;
    const sly = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => (reads++ === 0 ? 'harmless' : 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'),
    });
    expect(back(sly)).toEqual({ x: 'harmless' });
    expect(reads).toBe(1);
  });

  test('stores a long text as its start, length and hash', () => {
    const text = 'é'.repeat(5000);
    const { bytes, cut } = plain({ text });
    expect(JSON.parse(bytes.toString())).toEqual({
      text: { cut: 'é'.repeat(512), bytes: 10_000, sha256: createHash('sha256').update(text).digest('hex') },
    });
    expect(cut).toBe(1);
  });

  test('a preview does not end with half a character', () => {
    const { text } = back({ text: `${'a'.repeat(511)}${'😀'.repeat(3000)}` }) as { text: { cut: string } };
    expect(text.cut).toBe('a'.repeat(511));
  });

  test('limits the total size, reports what was omitted, and is still JSON', () => {
    const wide = Array.from({ length: 100_000 }, (_, i) => ({ i, text: `é${i}`.repeat(20) }));
    for (const value of [
      wide,
      { wide },
      'x'.repeat(1e6),
      Array.from({ length: 1e6 }, () => 1),
      Object.assign([], { length: 1e9 }),
    ]) {
      const { bytes, cut } = plain(value, 10_000);
      expect(bytes.length).toBeLessThan(20_000);
      expect(cut).toBeGreaterThan(0);
      JSON.parse(bytes.toString());
    }
  });

  test('limits the depth', () => {
    let deep: unknown = 'bottom';
    for (let i = 0; i < 100_000; i++) deep = [deep];
    const { bytes, cut } = plain(deep);
    expect(bytes.toString()).toContain('[too deep]');
    expect(cut).toBe(1);
  });

  test('caches a text per field name correctly, also after a secret', () => {
    const redactor = createRedactor({ secrets: ['hunter2-hunter2'] });
    const say = (x: string) => {
      const { bytes, redacted } = redactor.plain({ x });
      return [bytes.toString(), redacted];
    };
    expect([say('a'), say('a'), say('hunter2-hunter2'), say('hunter2-hunter2'), say('a'), say('')]).toEqual([
      ['{"x":"a"}', 0],
      ['{"x":"a"}', 0],
      ['{"x":"[redacted:secret]"}', 1],
      ['{"x":"[redacted:secret]"}', 1],
      ['{"x":"a"}', 0],
      ['{"x":""}', 0],
    ]);
  });

  test('redact returns a value', () => {
    expect(redact({ user: 'me', password: 'x' })).toEqual({
      value: { user: 'me', password: '[redacted]' },
      redacted: 1,
    });
  });
});
