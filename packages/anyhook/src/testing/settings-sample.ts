/** Builds a settings file with one guard for a dialect by trying known formats, so that no list is needed. */
import { relative } from 'node:path';
import type { Dialect, Locations } from '../events/dialect.ts';
import type { Layer } from '../events/hook.ts';

export interface SettingsSample {
  /** Relative to the project folder. */
  readonly file: string;
  readonly text: string;
}

const HERE: Locations = { home: '/h', cwd: '/p', env: {}, list: () => ['guard.json'] };

/** Claude Code's groups, flat lists of commands, TOML tables. */
const FORMS: readonly ((word: string) => string)[] = [
  (word) => JSON.stringify({ hooks: { [word]: [{ hooks: [{ type: 'command', command: 'guard' }] }] } }),
  (word) => JSON.stringify({ version: 1, hooks: { [word]: [{ type: 'command', command: 'guard' }] } }),
  (word) => JSON.stringify({ hooks: [{ event: word, command: 'guard' }] }),
  (word) => `[[hooks]]\nevent = "${word}"\ncommand = "guard"\n`,
];

/** Returns undefined if the dialect keeps hooks elsewhere or uses another format. */
export function settingsSample(
  { config, words }: Dialect,
  layers: readonly Layer[] = ['project'],
): SettingsSample | undefined {
  const [place] = config.places(HERE).filter(({ layer }) => layers.includes(layer));
  const [word] = words['tool.before'] ?? [];
  if (place === undefined || word === undefined) return undefined;
  const text = FORMS.map((write) => write(word)).find((written) => {
    const { hooks, problems } = config.read(written, place);
    return hooks.length === 1 && problems.length === 0;
  });
  return text === undefined ? undefined : { file: relative(HERE.cwd, place.file), text };
}
