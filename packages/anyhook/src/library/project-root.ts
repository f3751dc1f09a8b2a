/** Finds the project folder whose hooks count, for all dialects. */

import { DIALECTS } from '../dialects.ts';
import type { Locations } from '../events/dialect.ts';
import { locationsOf } from '../gather/folders.ts';
import { nearestProject, type ProjectLook } from '../gather/nearest-project.ts';

export const projectRoot = (locations: Required<Locations>, look?: ProjectLook): string =>
  nearestProject(DIALECTS, locations, look);

/** Where to look for the hooks of a process in that folder. */
export function projectLocations(options: Parameters<typeof locationsOf>[0]): Required<Locations> {
  const locations = locationsOf(options);
  return { ...locations, cwd: projectRoot(locations) };
}
