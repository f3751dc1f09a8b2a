import { describe, expect, test } from 'vitest';
import { EVENT_NAMES } from '../../../events/events.ts';
import type { Hook, Role } from '../../../events/hook.ts';
import { makeLexicon } from '../../../events/lexicon.ts';
import { TOOLS } from '../../../events/tools.ts';
import { anyhook, modulePlaces } from './index.ts';

describe('our own dialect', () => {
  test('has a word for every event, and it is the canon’s', () => {
    expect(anyhook.words).toEqual(Object.fromEntries(EVENT_NAMES.map((name) => [name, [name]])));
  });

  test('calls every tool by the canon’s name and renames nothing', () => {
    expect(Object.keys(anyhook.tools)).toEqual(Object.keys(TOOLS));
    const input = { path: 'a', content: 'b' };
    expect(makeLexicon([anyhook.tools]).read('write', input)).toMatchObject({ tool: 'write', input });
  });

  test('looks for settings in the person’s folder and in the project’s', () => {
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

  test('honours XDG_CONFIG_HOME when it is absolute; a relative one would be the project’s', () => {
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
  ])('a hook that breaks on %s as %j: %s', (word, roles, policy) => {
    expect(anyhook.failure(word, 'timed-out', { roles } as Hook)).toBe(policy);
  });
});
