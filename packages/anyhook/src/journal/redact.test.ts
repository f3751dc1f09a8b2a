import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fire } from './fixtures/fire.ts';
import { ground } from './fixtures/ground.ts';
import { makeRecord } from './record.ts';
import { createRedactor, redact } from './redact.ts';
import { isSecretName, secrecyOf } from './secret-names.ts';

const text = (said: string, known = {}) => createRedactor(known).text(said).text;
const letters = (length: number) => randomBytes(length).toString('hex').slice(0, length);
const ALNUM = 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1BcD4fGh7jKl0n';

/** Written in two parts, so that secret scanners do not report this test. */
const FORMATS: Record<string, string> = {
  'aws key': `${'AKIA'}IOSFODNN7EXAMPLE`,
  'aws session key': `${'ASIA'}IOSFODNN7EXAMPLE`,
  'github classic': `${'ghp'}_${ALNUM.slice(0, 36)}`,
  'github server': `${'ghs'}_${ALNUM.slice(0, 36)}`,
  'github fine': `${'github'}_pat_11ABCDEFG0${ALNUM}`,
  gitlab: `${'glpat'}-${ALNUM.slice(0, 20)}`,
  slack: `${'xoxb'}-123456789012-${ALNUM.slice(0, 24)}`,
  'slack hook': `https://hooks.slack.com/${'services'}/T00000000/B00000000/${ALNUM.slice(0, 24)}`,
  openai: `${'sk'}-proj-${ALNUM}`,
  anthropic: `${'sk'}-ant-api03-${ALNUM}`,
  stripe: `${'sk'}_live_${ALNUM.slice(0, 24)}`,
  google: `${'AIza'}Sy${ALNUM.slice(0, 33)}`,
  'google oauth': `${'ya29'}.${ALNUM}`,
  npm: `${'npm'}_${ALNUM.slice(0, 36)}`,
  pypi: `${'pypi'}-AgEIcHlwaS5vcmc${ALNUM}`,
  jwt: `${'eyJ'}hbGciOiJIUzI1NiJ9.${'eyJ'}zdWIiOiIxMjM0NTY3ODkwIn0.${ALNUM}`,
  pem: `-----BEGIN ${'RSA PRIVATE'} KEY-----\n${ALNUM}\n${ALNUM}\n-----END ${'RSA PRIVATE'} KEY-----`,
  'pem cut off': `-----BEGIN ${'PRIVATE'} KEY-----\n${ALNUM}\n${ALNUM}`,
  sendgrid: `${'SG'}.${ALNUM.slice(0, 22)}.${ALNUM.slice(0, 40)}`,
  huggingface: `${'hf'}_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7'}`,
  vault: `${'hvs'}.${ALNUM}`,
  shopify: `${'shpat'}_${'0123456789abcdef0123456789abcdef'}`,
  digitalocean: `${'dop'}_v1_${'0123456789abcdef'.repeat(4)}`,
  databricks: `${'dapi'}${'0123456789abcdef0123456789abcdef'}`,
};

describe('redaction by looks', () => {
  test.each(Object.entries(FORMATS))('redacts a token of %s and keeps the text around it', (_, token) => {
    const secret = token.replace(/^https:\/\/hooks\.slack\.com\//, '');
    for (const around of [
      (t: string) => t,
      (t: string) => `before ${t} after`,
      (t: string) => JSON.stringify({ x: `a\n${t}\n` }),
      (t: string) => `x="${t}";`,
    ]) {
      const clean = text(around(token));
      expect(clean).not.toContain(secret);
      expect(clean).not.toContain(ALNUM.slice(0, 20));
      expect(clean).toContain('[redacted:');
    }
  });

  test.each([
    ['Authorization: Bearer abc123def456', 'abc123def456'],
    ['curl -H "authorization: Basic dXNlcjpwYXNz" x', 'dXNlcjpwYXNz'],
    ['git clone https://me:s3cr3t@example.com/x.git', 's3cr3t'],
    ['postgres://admin:p%40ss@db:5432/x', 'p%40ss'],
    ['https://0123456789abcdef0123@example.com/x.git', '0123456789abcdef0123'],
    ['curl --user me:s3cr3t https://example.com', 's3cr3t'],
    ['PASSWORD=hunter2 npm start', 'hunter2'],
    ['export AWS_SECRET_ACCESS_KEY="abc/def+ghi"', 'abc/def+ghi'],
    ['mysql --password hunter2 -h db', 'hunter2'],
    ['mysql --password=hunter2', 'hunter2'],
    ["login(password: 'hun\\'ter2')", 'ter2'],
    ['{"api_key": "k-1", "x": 1}', 'k-1'],
    ['say {\\"apiKey\\":\\"k\\\\\\"9-1\\"} there', '9-1'],
    ['deep \\\\\\"client_secret\\\\\\": \\\\\\"zzz-1\\\\\\"', 'zzz-1'],
    ['Cookie: a=b; session=xyz-1', 'xyz-1'],
    ['Set-Cookie: sid=xyz-1; Path=/', 'xyz-1'],
    ['//registry.example.com/:_authToken=abc-1', 'abc-1'],
    ['_auth=abcde-1', 'abcde-1'],
    ['DefaultEndpointsProtocol=https;AccountKey=abc+1==;x=y', 'abc+1=='],
    ['https://x.blob.example.net/c?sv=1&sig=abcdef%2B123', 'abcdef%2B123'],
    ['X-Api-Key: 12-ab', '12-ab'],
    ['private_key => "qq-1"', 'qq-1'],
    ['token:abc-1', 'abc-1'],
  ])('in %j the value after the name is redacted', (said, secret) => {
    expect(text(said)).not.toContain(secret);
  });

  test.each([
    'max_tokens: 4096, input_tokens=12',
    'tokenizer = fast, token_type: bearer',
    'const token: string = read();',
    'const token = readToken(file);',
    'password = process.env.DB_PASSWORD',
    'Authorization: Bearer $TOKEN',
    'curl -H "Authorization: Bearer ${TOKEN}"',
    'password_file=/run/secrets/db',
    'PWD=/home/me/project',
    'the task-0123456789abcdef0123 is done, disk-0123456789abcdef too',
    'https://example.com:8080/path@v1',
    'the secret of good bread; a cookie recipe; tokens are words',
    'api/v1/keys, private repository, access granted',
    '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----',
    'the bearer of bad news',
    'docker run --user 1000:1000 x',
  ])('%j contains no secret and stays unchanged', (said) => {
    expect(text(said)).toBe(said);
  });

  test('redacting twice changes nothing more', () => {
    for (const said of [...Object.values(FORMATS), 'password=hunter2', '{"token":"abc-1"}', 'a://b:c@d']) {
      const once = text(said);
      expect(text(once)).toBe(once);
    }
  });

  test('a text built to be slow is redacted quickly', () => {
    const redactor = createRedactor();
    const began = performance.now();
    for (const piece of [
      '-----BEGIN PRIVATE KEY',
      '-----BEGIN PRIVATE KEY-----',
      'token=',
      'token="',
      'secret=process.env.',
      'a://',
      'eyJ',
      'eyJaaaaaaaa.',
      'bearer ',
      'cookie: ',
      'sk-',
      'password\\\\"',
    ])
      redactor.text(piece.repeat(Math.ceil(5e5 / piece.length)));
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

describe('redaction by name', () => {
  test.each([
    'password',
    'PASSWD',
    'api_key',
    'API-Key',
    'apiKey',
    'x-api-key',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'privateKey',
    'ssh-key',
    'client_secret',
    'accessToken',
    'DB_PASS',
    'dbPwd',
    'passphrase',
    'credentials',
    'AWS_SECRET_ACCESS_KEY',
    '_authToken',
    'proxy-authorization',
  ])('%s is a secret name', (name) => expect(isSecretName(name)).toBe(true));
  test.each([
    'path',
    'author',
    'tokenizer',
    'token_count',
    'password_file',
    'SSH_AUTH_SOCK',
    'key',
    'keyboard',
    'monkey',
    'compass',
    'bypass',
    'GIT_ASKPASS',
    'accessKeyId',
    'tokenUrl',
    'passed',
    'content',
    'command',
  ])('%s is not a secret name', (name) => expect(secrecyOf(name)).toBe('none'));

  test('redacts everything under a secret name, in whatever structure', () => {
    expect(
      redact({
        password: 'p-1',
        PIN: 5,
        token: 123456,
        max_tokens: 4096,
        tokens: { input: 5, raw: 'p-2' },
        secret: { a: ['p-3', { b: 'p-4' }], on: true, none: null },
        headers: [
          { name: 'Cookie', value: 'p-5' },
          { key: 'accept', value: 'text/html' },
        ],
        raw: ['authorization', 'p-6', 'accept', 'text/html'],
        argv: ['mysql', '--password', 'p-7', '-v'],
        map: new Map([['api-key', 'p-8']]),
        effect: { kind: 'set', at: ['env', 'API_TOKEN'], to: 'p-9' },
        error: Object.assign(new Error('password=p-10'), { stack: 'Error: token=p-11' }),
        json: JSON.stringify({ password: 'p-12', inner: JSON.stringify({ token: 'p-13' }) }),
        ['password=p-14']: 1,
      }),
    ).toEqual({
      value: {
        password: '[redacted]',
        PIN: 5,
        token: '[redacted]',
        max_tokens: 4096,
        tokens: { input: 5, raw: '[redacted]' },
        secret: { a: ['[redacted]', { b: '[redacted]' }], on: true, none: null },
        headers: [
          { name: 'Cookie', value: '[redacted]' },
          { key: 'accept', value: 'text/html' },
        ],
        raw: ['authorization', '[redacted]', 'accept', 'text/html'],
        argv: ['mysql', '--password', '[redacted]', '-v'],
        map: { 'api-key': '[redacted]' },
        effect: { kind: 'set', at: ['env', 'API_TOKEN'], to: '[redacted]' },
        error: {
          name: 'Error',
          message: 'password=[redacted:password]',
          stack: 'Error: token=[redacted:token]',
        },
        json: '{"password":"[redacted:password]","inner":"{\\"token\\":\\"[redacted:token]\\"}"}',
        'password=[redacted:password]': '[redacted]',
      },
      redacted: 16,
    });
  });
});

describe('redaction by value', () => {
  const secret = 'Tr0ub4dor&3 "x"/+>>>???~~~>>>???';
  const known = { env: { DEPLOY_TOKEN: secret, HOME: '/home/me', SHORT_TOKEN: 'abc' } };

  test.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ x: secret })],
    ['in JSON in JSON', JSON.stringify({ x: JSON.stringify(secret) })],
    ['in a URL', encodeURIComponent(secret)],
    [
      'in a form',
      new URLSearchParams({ x: secret.replaceAll('"', '') }).toString().slice(0, 0) +
        encodeURIComponent(secret).replaceAll('%20', '+'),
    ],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 for URLs', Buffer.from(secret).toString('base64url')],
    ['in base64 after one byte', Buffer.from(`u${secret}:tail`).toString('base64')],
    ['in base64 after two bytes', Buffer.from(`us${secret}`).toString('base64')],
    ['in hex', Buffer.from(secret).toString('hex')],
  ])('redacts a value of the environment %s', (_, said) => {
    const clean = text(`before ${said} after`, known);
    expect(clean).toMatch(/^before .*\[redacted:secret\].* after$/s);
    const core = Buffer.from(secret.slice(2, -2)).toString('base64').slice(2, -4);
    for (const trace of [secret, secret.slice(0, 8), encodeURIComponent(secret), core])
      expect(clean).not.toContain(trace);
  });

  test('does not redact short values and harmless names', () => {
    expect(text('abc in /home/me', known)).toBe('abc in /home/me');
  });

  test('redacts a password inside a URL of the environment', () => {
    const env = { DATABASE_URL: 'postgres://me:pa%24%24word1@db/x' };
    expect(text('it was pa$$word1 or pa%24%24word1', { env })).toBe(
      'it was [redacted:secret] or [redacted:secret]',
    );
  });

  test('redacts overlapping and nested secrets completely', () => {
    const secrets = ['abcdef123', '123xyzzy', 'abcdef123-and-more', 'pass;word;tail'];
    expect(text('abcdef123xyzzy', { secrets })).toBe('[redacted:secret]');
    expect(text('abcdef123-and-more!', { secrets })).toBe('[redacted:secret]!');
    expect(text('password=pass;word;tail.', { secrets })).toBe('password=[redacted:password].');
  });
});

describe('the file', () => {
  const names = ['DEPLOY_TOKEN', 'DB_PASSWORD', 'API_KEY', 'CLIENT_SECRET', 'SESSION_COOKIE'];
  const planted = Array.from(
    { length: 200 },
    (_, i) => `${letters(10)}${['', '/', '+', '"', ' ', 'é', '$'][i % 7]}${letters(8)}`,
  );
  const env = Object.fromEntries(planted.slice(0, 50).map((value, i) => [`${names[i % 5]}_${i}`, value]));
  const [inArgs, inOutput, inErrors] = [planted.slice(50, 100), planted.slice(100, 150), planted.slice(150)];

  const record = () =>
    makeRecord(
      fire(
        {
          command: `deploy ${inArgs
            .slice(0, 20)
            .map((value, i) => `--token-${i}=${JSON.stringify(value)}`)
            .join(' ')}`,
          env,
          args: inArgs.slice(20).flatMap((value) => ['--password', value]),
          used: Object.values(env).map((value) => `it is ${value}, or ${encodeURIComponent(value)}`),
        },
        {
          verdict: 'deny',
          reasons: inErrors
            .slice(0, 20)
            .map((value) => ({ by: 'guard', text: `bad {"api_key":${JSON.stringify(value)}}` })),
          runs: [
            {
              hook: 'guard',
              round: 1,
              ms: 1,
              answer: {
                effects: [{ kind: 'set', at: ['env', 'API_TOKEN'], to: inOutput[0] }],
                printed: inOutput
                  .slice(1)
                  .map((value) => `secret: ${JSON.stringify(value)}`)
                  .join('\n')
                  .slice(0, 4000),
              },
            },
            {
              hook: 'format',
              round: 1,
              ms: 1,
              answer: {
                effects: [],
                failed: {
                  kind: 'failed',
                  detail: inErrors
                    .slice(20)
                    .map((value) => `Error: client_secret=${JSON.stringify(value)}`)
                    .join('\n'),
                },
                printed: Object.values(env).join('\n'),
              },
            },
          ],
        },
      ),
    );

  const found = (haystack: string) =>
    planted.filter((value) =>
      [
        value,
        JSON.stringify(value).slice(1, -1),
        JSON.stringify(JSON.stringify(value)).slice(3, -3),
        encodeURIComponent(value),
      ].some((form) => haystack.includes(form)),
    );

  test('a journal contains none of 200 secrets planted in environment, arguments, output and errors', () => {
    const { open } = ground();
    const journal = open({ env });
    expect(journal.write(record())).toEqual({ ok: true, written: true, seq: 1 });
    const file = readFileSync(journal.file, 'utf8');
    expect(file).toContain('[redacted:');
    expect(found(file)).toEqual([]);
  });

  test('control: without redaction all secrets are in the output', () => {
    expect(found(JSON.stringify(record())).length).toBe(200);
  });
});
