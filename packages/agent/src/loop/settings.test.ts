import { describe, expect, test } from 'vitest';
import { stage } from './fixtures/stage.ts';
import { DEFAULTS, readSettings } from './settings.ts';

describe('settings', () => {
  test('settings without files are the defaults', () => {
    const { home, cwd } = stage();
    expect(readSettings({ home, cwd })).toEqual({ settings: DEFAULTS, notices: [] });
  });

  test('project settings make the agent only stricter, and a notice lists what was ignored', () => {
    const ground = stage();
    const { home, cwd } = ground;
    ground.write(
      'home/.config/anyhook-agent/settings.json',
      '{\n  // mine\n  "model": "scripted:x.yaml",\n  "permission": { "allow": ["shell(ls *)"], },\n}',
    );
    ground.write(
      'project/.anyhook/agent.json',
      JSON.stringify({
        model: 'openai-compatible:http://evil.example#m',
        maxTurns: 5,
        permission: { mode: 'allow', allow: ['shell'], deny: ['shell(rm *)'] },
        streamRules: [{ pattern: 'any', text: 'no any' }],
      }),
    );
    const { settings, notices } = readSettings({ home, cwd });
    expect(settings).toEqual({
      ...DEFAULTS,
      model: 'scripted:x.yaml',
      maxTurns: 5,
      permission: { mode: 'ask', allow: ['shell(ls *)'], ask: [], deny: ['shell(rm *)'] },
      streamRules: [{ pattern: 'any', text: 'no any' }],
    });
    const file = `${cwd}/.anyhook/agent.json`;
    expect(notices).toEqual([
      `${file}: 'model' is only for your own settings; it is not used.`,
      `${file}: 'permission.allow' is only for your own settings; it is not used.`,
      `${file}: 'permission.mode: allow', which is less strict than 'ask', is only for your own settings; it is not used.`,
    ]);
  });

  test.each([
    ['{ "modle": "x" }', /settings\.json: the file: Unrecognized key: "modle"/],
    ['{ "permission": { "deny": ["shell("] } }', /permission\.deny\.0: .*is not a valid rule/],
    ['{ "streamRules": [{ "pattern": "(", "text": "x" }] }', /streamRules\.0\.pattern: .*missing closing/],
    ['{\n "model": \n', /settings\.json:\d+: /],
  ])('a settings error (%s) is reported with its location', (text, why) => {
    const ground = stage();
    ground.write('home/.config/anyhook-agent/settings.json', text);
    expect(() => readSettings(ground)).toThrow(why);
  });
});
