import { anyhook } from '../agents/anyhook/dialect/index.ts';
import type { Locations } from '../events/dialect.ts';
import { withSafeReaders } from '../events/safe-readers.ts';
import { readSettingsFile } from '../settings/read-file.ts';

const { config } = withSafeReaders(anyhook);

/** Whether a `hooks.json` of the user or the organisation switches this off. A file that cannot be read does not. */
export const isSwitchedOff = (key: 'daemon' | 'updates', locations: Locations): boolean =>
  config
    .places(locations)
    .filter(({ layer }) => layer !== 'project')
    .some((place) => {
      const found = readSettingsFile(place.file);
      return found.kind === 'text' && config.read(found.text, place).settings?.[key] === 'off';
    });
