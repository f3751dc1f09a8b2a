/** Builds a settings file with one guard for a dialect by trying known formats, so that no list is needed. */

import { relative } from 'node:path';
import type { Dialect, Locations } from '../events/dialect.ts';
import type { Layer } from '../events/hook.ts';

export interface SettingsSample {
  /** Relative to the project folder. */
  readonly file: string;
  readonly text: string;
  /** The key that leads to the guard. */
  readonly key: string;
}

const HERE: Locations = { home: '/h', cwd: '/p', env: {}, list: () => ['guard.json'] };

interface SettingsForm {
  readonly key: string;
  readonly write: (word: string) => string;
}
const written = (key: string, write: (word: string) => object): SettingsForm => ({
  key,
  write: (word) => JSON.stringify(write(word)),
});
const FORMS: readonly SettingsForm[] = [
  // Claude Code's groups
  written('hooks', (word) => ({ hooks: { [word]: [{ hooks: [{ type: 'command', command: 'guard' }] }] } })),
  // flat lists of commands
  written('hooks', (word) => ({ version: 1, hooks: { [word]: [{ type: 'command', command: 'guard' }] } })),
  written('hooks', (word) => ({ hooks: [{ event: word, command: 'guard' }] })),
  { key: 'hooks', write: (word) => `[[hooks]]\nevent = "${word}"\ncommand = "guard"\n` },
  // our own entries
  written('hooks', (word) => ({ hooks: { [word]: [{ run: 'guard' }] } })),
  // events of the settings file, which are not those of modules
  written('hook', () => ({ experimental: { hook: { session_completed: [{ command: ['guard'] }] } } })),
  // modules
  written('extensions', () => ({ extensions: ['./guard.ts'] })),
];

/** Returns undefined if the dialect keeps hooks elsewhere or uses another format. */
export function settingsSample(
  { config, words }: Dialect,
  layers: readonly Layer[] = ['project'],
): SettingsSample | undefined {
  const [place] = config.places(HERE).filter(({ layer }) => layers.includes(layer));
  const [word] = words['tool.before'] ?? [];
  if (place === undefined || word === undefined) return undefined;
  const form = FORMS.find(({ write }) => {
    const { hooks, modules, problems } = config.read(write(word), place);
    return hooks.length + modules.length === 1 && problems.length === 0;
  });
  return form && { file: relative(HERE.cwd, place.file), text: form.write(word), key: form.key };
}
