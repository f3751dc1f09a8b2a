/** The folder whose hooks count, of whichever dialect they are. */
import { DIALECTS } from '../../assemble.ts';
import { locationsOf } from '../../assembly/folders.ts';
import { nearestProject, type ProjectLook } from '../../assembly/nearest-project.ts';
import type { Locations } from '../../canon/dialect.ts';

export const projectRoot = (locations: Required<Locations>, look?: ProjectLook): string =>
  nearestProject(DIALECTS, locations, look);

/** Where to look for the hooks of whoever is in that folder. */
export function projectLocations(options: Parameters<typeof locationsOf>[0]): Required<Locations> {
  const locations = locationsOf(options);
  return { ...locations, cwd: projectRoot(locations) };
}
