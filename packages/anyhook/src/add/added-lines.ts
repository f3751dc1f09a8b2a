/** Shows in `list` what `anyhook add` installed: its source, and whether it is unchanged. */

import { places } from '../agents/anyhook/dialect/places.ts';
import { locationsOf } from '../gather/folders.ts';
import type { Screen } from '../render/screen.ts';
import { wrap } from '../render/wrap.ts';
import { type AddedPack, readLock, stateOf } from './added.ts';

const WORDS = {
  same: '',
  modified: ' · modified since it was added',
  gone: ' · its files are gone: anyhook remove',
} as const;

export function addedLines(cwd: string | undefined, { paint, width }: Screen): string[] {
  return places(locationsOf(cwd === undefined ? {} : { cwd })).flatMap(({ file, layer }) =>
    Object.entries(lockIn(file)).flatMap(([name, pack]) => {
      const state = stateOf(file, name, pack);
      const whose = layer === 'project' ? ', the project’s' : '';
      const from = pack.from === name ? '' : ` from ${pack.from}`;
      const { version, dialect } = pack;
      const what = `${version === undefined ? '' : ` ${version}`}${dialect === undefined ? '' : ` (${dialect})`}`;
      const text = `${name}${what}${whose}${from}${WORDS[state]}`;
      return wrap(text, width - 4, '  ').map(
        (line) => `  ${state === 'same' ? line : paint('yellow', line)}`,
      );
    }),
  );
}

/** `add` and `remove`, which need the lock, report an unreadable one. */
function lockIn(settings: string): Readonly<Record<string, AddedPack>> {
  try {
    return readLock(settings);
  } catch {
    return {};
  }
}
