import { describe, expect, test } from 'vitest';
import type { FileSettings } from '../../../events/dialect.ts';
import type { Hook, Layer } from '../../../events/hook.ts';
import { settleClaudeHook } from './config.ts';
import { hookFor } from './fixtures/hook-for.ts';

const said = (layer: Layer, settings: object): FileSettings => ({
  place: { layer, file: `${layer}.json` },
  settings: { ...settings },
});
const from = (layer: Layer, handler?: object): Hook => {
  const hook = hookFor('PreToolUse', handler);
  return { ...hook, origin: { ...hook.origin, layer } };
};
const runs = (layer: Layer, ...files: readonly FileSettings[]) =>
  settleClaudeHook(from(layer), files).hook !== undefined;
const [off, on] = [{ disableAllHooks: true }, { disableAllHooks: false }];

describe('disableAllHooks', () => {
  test.each([
    ['nobody says anything', [], true, true, true],
    ['the person switches off', [said('user', off)], true, false, false],
    ['a project switches its own off', [said('project', off)], true, true, false],
    ['a project switches on again', [said('user', off), said('project', on)], true, true, true],
    ['an organisation switches off', [said('managed', off), said('project', on)], false, false, false],
    [
      'an organisation allows its own only',
      [said('managed', { allowManagedHooksOnly: true })],
      true,
      false,
      false,
    ],
    [
      'a project cannot allow only managed ones',
      [said('project', { allowManagedHooksOnly: true })],
      true,
      true,
      true,
    ],
  ] as const)('disableAllHooks: %s', (_, files, managed, user, project) => {
    expect([runs('managed', ...files), runs('user', ...files), runs('project', ...files)]).toEqual([
      managed,
      user,
      project,
    ]);
  });

  test('a hook disabled by disableAllHooks reports the file', () => {
    expect(settleClaudeHook(from('user'), [said('user', off)]).problem?.message).toBe(
      'does not run: disableAllHooks in user.json.',
    );
  });

  test('a repository cannot disable a user guard, in contrast to Claude Code', () => {
    const last = [said('user', {}), said('project', off)].at(-1)!.settings['disableAllHooks'];
    expect([last, runs('user', said('user', {}), said('project', off))]).toEqual([true, true]);
  });
});

describe('HTTP hooks', () => {
  const http = (layer: Layer, url: string, ...files: readonly FileSettings[]) =>
    settleClaudeHook(from(layer, { type: 'http', url, allowedEnvVars: ['A', 'B'] }), files);
  const urls = (...list: readonly string[]) => ({ allowedHttpHookUrls: list });
  const isSent = (...args: Parameters<typeof http>) => http(...args).hook?.run.kind === 'http';

  test.each([
    ['https://a.example/x', ['https://a.example/*'], true],
    ['https://a.example/x', ['https://b.example/*'], false],
    ['https://a.example/x', [], false],
    ['http://localhost:8080/', ['http://localhost:*/*'], true],
    ['https://a.example/x?y', ['https://a.example/x?y'], true],
    ['https://a.example/xzy', ['https://a.example/x?y'], false],
  ])('the URL %s among %j: %j', (url, list, expected) =>
    expect(isSent('user', url, said('user', urls(...list)))).toBe(expected),
  );

  test('lists of all layers are merged, and those of a project only apply to its own hooks', () => {
    const files = [said('user', urls('https://a/*')), said('project', urls('https://b/*'))];
    expect(
      ['https://a/1', 'https://b/1'].map((url) => [
        isSent('user', url, ...files),
        isSent('project', url, ...files),
      ]),
    ).toEqual([
      [true, true],
      [false, true],
    ]);
    expect(isSent('user', 'https://a/1', said('project', urls()))).toBe(true);
  });

  test('an HTTP hook that is not allowed stays, fails by its policy and is reported', () => {
    expect(http('user', 'https://x/', said('user', urls()))).toMatchObject({
      hook: {
        run: {
          kind: 'missing',
          why: { kind: 'not-started', detail: 'https://x/ is not among allowedHttpHookUrls' },
        },
      },
      problem: { code: 'not-loaded' },
    });
  });

  test('an HTTP hook may use variables that are in both lists', () => {
    expect(
      http('user', 'https://x/', said('managed', { httpHookAllowedEnvVars: ['B', 'C'] })).hook?.run,
    ).toMatchObject({ env: ['B'] });
    expect(http('user', 'https://x/').hook?.run).toMatchObject({ env: ['A', 'B'] });
  });
});
