import type { Locations } from '../../canon/dialect.ts';
import { anyhook } from '../../dialects/anyhook/index.ts';
import { readSettingsFile } from '../../settings/read-file.ts';

/** The person's own word: `"engine": "off"` in their `hooks.json`. A file that cannot be read says nothing. */
export const isEngineOff = (locations: Locations): boolean =>
  anyhook.config
    .places(locations)
    .filter(({ layer }) => layer !== 'project')
    .some((place) => {
      const found = readSettingsFile(place.file);
      return found.kind === 'text' && anyhook.config.read(found.text, place).settings?.['engine'] === 'off';
    });
