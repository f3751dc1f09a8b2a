/** The folder whose hooks count, of whichever dialect they are. */
import { DIALECTS } from '../dialects.ts';
import { locationsOf } from '../gather/folders.ts';
import { nearestProject, type ProjectLook } from '../gather/nearest-project.ts';
import type { Locations } from '../events/dialect.ts';

export const projectRoot = (locations: Required<Locations>, look?: ProjectLook): string =>
  nearestProject(DIALECTS, locations, look);

/** Where to look for the hooks of whoever is in that folder. */
export function projectLocations(options: Parameters<typeof locationsOf>[0]): Required<Locations> {
  const locations = locationsOf(options);
  return { ...locations, cwd: projectRoot(locations) };
}
