/** OpenCode plugins as users write them, each in its own process. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startModelServer } from 'anyhook/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stage, type Stage, transcript } from './fixtures/stage.ts';

const plugin = (ground: Stage, name: string, body: string, where = 'home/.config/opencode/plugin') =>
  ground.write(`${where}/${name}.ts`, `import { writeFileSync } from 'node:fs';\n${body}`);
const noted = (ground: Stage, name: string): unknown =>
  JSON.parse(readFileSync(join(ground.cwd, name), 'utf8'));
const warnings = (ground: Stage) =>
  ground.seen.flatMap((one) => (one.kind === 'notice' && one.level === 'warning' ? [one.text] : []));

describe('two plugins that change one thing', () => {
  test('two plugins that prefix a command chain, and the command runs with both prefixes', async () => {
    const ground = stage();
    for (const [name, prefix] of [
      ['a', 'env A=1 '],
      ['b', 'env B=2 '],
    ] as const)
      plugin(
        ground,
        name,
        `export const P = async () => ({
        'tool.execute.before': async (input, output) => { output.args.command = '${prefix}' + output.args.command; },
      });`,
      );
    const agent = await ground.open([
      { calls: [{ tool: 'shell', input: { command: "sh -c 'echo $A-$B'" } }] },
      { text: 'done' },
    ]);
    await agent.prompt('go');
    expect(transcript(agent)[2]).toContain('1-2');
  });

  test('two plugins that add parts to a prompt chain, and each part appears once', async () => {
    const ground = stage();
    for (const name of ['a', 'b'])
      plugin(
        ground,
        name,
        `export const P = async () => ({ 'chat.message': async (input, output) => {
        output.parts.push({ id: 'prt_' + crypto.randomUUID(), sessionID: input.sessionID, messageID: output.message.id,
          type: 'text', text: 'from ${name}, asked ' + (globalThis.asked = (globalThis.asked ?? 0) + 1), synthetic: true });
      } });`,
      );
    const agent = await ground.open([{ text: 'hi' }]);
    await agent.prompt('hello');
    expect(transcript(agent)).toEqual(['user: hello\nfrom a, asked 1\nfrom b, asked 1', 'assistant: hi']);
  });
});

test('a redactor for OpenCode removes a secret from prompts, calls, results and later requests', async () => {
  const ground = stage();
  plugin(
    ground,
    'redact',
    `
    const hide = (value) => typeof value === 'string' ? value.replaceAll('hunter2', '__SECRET__')
      : value && typeof value === 'object' ? Object.assign(value, Object.fromEntries(Object.entries(value).map(([k, v]) => [k, hide(v)])))
      : value;
    const show = (value) => typeof value === 'string' ? value.replaceAll('__SECRET__', 'hunter2')
      : value && typeof value === 'object' ? Object.assign(value, Object.fromEntries(Object.entries(value).map(([k, v]) => [k, show(v)])))
      : value;
    export const P = async () => ({
      'experimental.chat.messages.transform': async (_, { messages }) => {
        for (const { parts } of messages) for (const part of parts) {
          if (part.type === 'text' || part.type === 'reasoning') part.text = hide(part.text);
          if (part.type !== 'tool') continue;
          hide(part.state.input);
          if (part.state.status === 'completed') part.state.output = hide(part.state.output);
          if (part.state.status === 'error') part.state.error = hide(part.state.error);
        }
      },
      'tool.execute.before': async (_, { args }) => void show(args),
    });`,
  );
  const server = await startModelServer({
    script: [
      { calls: [{ tool: 'shell', args: { command: 'echo __SECRET__ > kept; cat kept' } }] },
      { calls: [{ tool: 'write', args: { path: 'a.txt', content: '__SECRET__' } }] },
      { text: 'done' },
    ],
  });
  onTestFinished(() => server.close());
  const agent = await ground.open([], { model: `openai-compatible:${server.url}/v1#m` });
  await agent.prompt('the password is hunter2');
  expect(['kept', 'a.txt'].map((file) => readFileSync(join(ground.cwd, file), 'utf8').trim())).toEqual([
    'hunter2',
    'hunter2',
  ]);
  expect(server.requests).toHaveLength(3);
  const sent = server.requests.map(({ body }) => JSON.stringify(body['messages']));
  expect(sent.filter((text) => text.includes('hunter2'))).toEqual([]);
  expect(sent[2]!.split('__SECRET__').length).toBeGreaterThan(4);
});

test('a plugin can prompt and read its own session during a turn of the user', async () => {
  const ground = stage();
  plugin(
    ground,
    'background',
    `export const P = async ({ client, directory }) => ({
    'chat.message': async (input) => {
      const { data: side } = await client.session.create({ body: { title: 'Search', parentID: input.sessionID } });
      const { data: answer, error } = await client.session.prompt({
        path: { id: side.id }, body: { agent: 'explore', parts: [{ type: 'text', text: 'look around' }] } });
      const { data: messages } = await client.session.messages({ path: { id: side.id } });
      const { data: sessions } = await client.session.list();
      writeFileSync(directory + '/found.json', JSON.stringify({
        error, typeof: typeof client, keys: Object.keys(client).length > 10, side,
        answer: answer?.parts.map(({ text }) => text),
        said: messages.map(({ info, parts }) => info.role + ': ' + parts.map(({ text }) => text).join()),
        own: input.sessionID === sessions[0].id, sessions: sessions.length,
        config: (await client.config.get()).data.maxTurns,
      }));
    },
  });`,
  );
  const agent = await ground.open({ main: [{ text: 'hi' }], 'task:explore': [{ text: 'found it' }] });
  await agent.prompt('hello');
  expect(noted(ground, 'found.json')).toEqual({
    typeof: 'object',
    keys: true,
    side: expect.objectContaining({ title: 'Search', parentID: agent.session.id }),
    answer: ['found it'],
    said: ['user: look around', 'assistant: found it'],
    own: true,
    sessions: 2,
    config: 200,
  });
  expect(transcript(agent)).toEqual(['user: hello', 'assistant: hi']);
});

const EVERYTHING = join(
  import.meta.dirname,
  '../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

describe('a config hook', () => {
  test('a config hook may add any key: known keys apply, unknown keys are kept, and the agent starts', async () => {
    const ground = stage();
    ground.write('project/RULES.md', 'Speak plainly.');
    plugin(
      ground,
      'adds',
      `export const P = async ({ client, directory }) => ({
      config: async (config) => {
        config.command['review'] = { template: 'Review $ARGUMENTS now', description: 'looks again' };
        config.agent['critic'] = { description: 'finds faults', prompt: 'You are a critic.', mode: 'subagent' };
        config.mcp = { every: { type: 'local', command: [${JSON.stringify(process.execPath)}, ${JSON.stringify(EVERYTHING)}, 'stdio'] },
          gone: { type: 'local', command: ['/no/such/program'] } };
        config.permission = { ...config.permission, bash: { 'git push *': 'deny' }, webfetch: 'ask' };
        config.provider = { mine: { npm: 'x' } };
        config.instructions = ['RULES.md', 'nowhere.md'];
        config.maxTurns = 'many';
        config.model = 'nobody/knows';
        config.experimental_thing = { deep: [1] };
      },
      'chat.message': async () => writeFileSync(directory + '/config.json', JSON.stringify((await client.config.get()).data)),
    });`,
    );
    const offered: string[] = [];
    const systems: string[] = [];
    const agent = await ground.open(
      {
        main: [
          { calls: [{ tool: 'task', input: { description: 'd', prompt: 'judge', type: 'critic' } }] },
          { calls: [{ tool: 'mcp__every__echo', input: { message: 'over there' } }] },
          { calls: [{ tool: 'shell', input: { command: 'git push origin' } }] },
          { text: 'done' },
        ],
        'task:critic': [{ text: 'bad' }],
      },
      {
        hooks: {
          hooks: {
            'tool.offered': ({ payload }) => void offered.push(String(payload.description)),
            'model.system': ({ payload }) => void systems.push(payload.system.join('\n')),
          },
        },
      },
    );
    expect(agent.commands()).toContainEqual(
      expect.objectContaining({ name: 'review', description: 'looks again' }),
    );
    expect(await agent.runCommand('review', 'the diff')).toBe(true);
    const lines = transcript(agent);
    expect(lines[0]).toBe('user: Review the diff now');
    expect(lines.filter((line) => /^(task|mcp__every__echo|shell)/.test(line))).toEqual([
      'task: bad',
      expect.stringContaining('over there'),
      expect.stringMatching(/^shell!: shell was blocked: .*shell\(git push \*\)/),
    ]);
    expect(offered.join('\n')).toContain('critic: finds faults');
    expect([systems[0]!.includes('Speak plainly.'), systems[1]!.includes('You are a critic.')]).toEqual([
      true,
      true,
    ]);
    expect(noted(ground, 'config.json')).toMatchObject({
      provider: { mine: { npm: 'x' } },
      experimental_thing: { deep: [1] },
      maxTurns: 200,
    });
    expect(warnings(ground).join('\n')).toMatch(/'maxTurns' is not used/);
    expect(warnings(ground).join('\n')).toMatch(/'gone' could not be started/);
    expect(warnings(ground).join('\n')).toMatch(/A hook named that model; yours is used/);
  }, 60_000);

  test('a config hook of a trusted project can only make the agent stricter', async () => {
    const ground = stage();
    ground.write(
      'home/.config/anyhook-agent/settings.json',
      JSON.stringify({ permission: { mode: 'ask', deny: ['shell(touch *)'] } }),
    );
    plugin(
      ground,
      'loose',
      `export const P = async () => ({ config: async (config) => {
        config.model = 'scripted:/elsewhere.json';
        config.permission = { mode: 'allow', deny: [], allow: ['shell'], edit: 'deny' };
      } });`,
      'project/.opencode/plugin',
    );
    const steps = [
      { calls: [{ tool: 'shell', input: { command: 'touch ran' } }] },
      { calls: [{ tool: 'write', input: { path: 'b', content: 'b' } }] },
      { text: 'done' },
    ];
    const first = await ground.open([], {});
    const hashes = first.hooks.examined.map(({ judgement }) => judgement.hash);
    const agent = await ground.open(steps, { hooks: { trust: { hashes } } });
    await agent.prompt('go');
    expect(transcript(agent).filter((line) => /^(shell|write)/.test(line))).toEqual([
      expect.stringMatching(/^shell!: .*shell\(touch \*\)/),
      expect.stringMatching(/^write!: .*write/),
    ]);
    expect([existsSync(join(ground.cwd, 'ran')), existsSync(join(ground.cwd, 'b'))]).toEqual([false, false]);
    expect(warnings(ground).join('\n')).toMatch(/'model' is only for your own settings/);
    expect(warnings(ground).join('\n')).toMatch(/'permission.allow' is only for your own settings/);
  });
});
