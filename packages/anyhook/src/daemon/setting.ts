import type { Locations } from '../events/dialect.ts';
import { withSafeReaders } from '../events/safe-readers.ts';
import { anyhook } from '../agents/anyhook/dialect/index.ts';
import { readSettingsFile } from '../settings/read-file.ts';

const { config } = withSafeReaders(anyhook);

/** Does the user's own `hooks.json` contain `"daemon": "off"`? A file that cannot be read does not. */
export const isDaemonOff = (locations: Locations): boolean =>
  config
    .places(locations)
    .filter(({ layer }) => layer !== 'project')
    .some((place) => {
      const found = readSettingsFile(place.file);
      return found.kind === 'text' && config.read(found.text, place).settings?.['daemon'] === 'off';
    });
