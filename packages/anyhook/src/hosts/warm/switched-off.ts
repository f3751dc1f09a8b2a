import { readFileSync } from 'node:fs';
import type { Locations } from '../../canon/dialect.ts';
import { anyhook } from '../../dialects/anyhook/index.ts';

/** The person's own word: `"engine": "off"` in their `hooks.json`. A file that cannot be read says nothing. */
export const isEngineOff = (locations: Locations): boolean =>
  anyhook.config
    .places(locations)
    .filter(({ layer }) => layer !== 'project')
    .some((place) => {
      try {
        return anyhook.config.read(readFileSync(place.file, 'utf8'), place).settings?.['engine'] === 'off';
      } catch {
        return false;
      }
    });
