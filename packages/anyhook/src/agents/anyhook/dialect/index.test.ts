import { describe, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../../events/events.ts';
import type { Hook, Role } from '../../../events/hook.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { TOOLS } from '../../../events/tools.ts';
import { anyhook, modulePlaces } from './index.ts';

describe('our own dialect', () => {
  test('our dialect has one name for every event: the common one', () => {
    expect(anyhook.words).toEqual(Object.fromEntries(EVENT_NAMES.map((name) => [name, [name]])));
  });

  test('our dialect uses the common tool names and renames nothing', () => {
    expect(Object.keys(anyhook.tools)).toEqual(Object.keys(TOOLS));
    const input = { path: 'a', content: 'b' };
    expect(makeLexicon([anyhook.tools]).read('write', input)).toMatchObject({ tool: 'write', input });
  });

  test('our dialect reads settings in the folders of the user and the project', () => {
    const ground = { home: '/home/ada', cwd: '/src/app', env: {} };
    expect(anyhook.config.places(ground)).toEqual([
      { layer: 'user', file: '/home/ada/.config/anyhook/hooks.json' },
      { layer: 'project', file: '/src/app/.anyhook/hooks.json', folder: '/src/app' },
    ]);
    expect(modulePlaces(ground).map(({ layer, folder }) => [layer, folder])).toEqual([
      ['user', '/home/ada/.config/anyhook/hooks'],
      ['project', '/src/app/.anyhook/hooks'],
    ]);
  });

  test('XDG_CONFIG_HOME is used if it is absolute; a relative one would point into the project', () => {
    const files = (home: string, xdg: string) =>
      anyhook.config.places({ home, cwd: '/p', env: { XDG_CONFIG_HOME: xdg } }).map(({ file }) => file);
    expect(files('/h', '/x')).toEqual(['/x/anyhook/hooks.json', '/p/.anyhook/hooks.json']);
    expect(files('/h', 'x')).toEqual(['/h/.config/anyhook/hooks.json', '/p/.anyhook/hooks.json']);
    expect(files('', '')).toEqual(['/p/.anyhook/hooks.json']);
  });

  test.each<[string, readonly Role[], string]>([
    ['tool.before', ['guard', 'mutator'], 'block'],
    ['tool.before', ['mutator'], 'block'],
    ['tool.before', ['observer'], 'allow'],
    ['tool.after', ['guard', 'mutator'], 'allow'],
    ['turn.stop', ['guard'], 'allow'],
  ])('a hook that fails on %s as %j: %s', (word, roles, policy) => {
    expect(anyhook.failure(word, 'timed-out', { roles } as Hook)).toBe(policy);
  });
});
