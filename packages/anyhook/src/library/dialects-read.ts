/** Decides which dialects' settings are read, from the options of the program. */

import { dialectsNamed } from '../dialects.ts';
import type { Dialect, ModuleFinder } from '../events/dialect.ts';

export const dialectsRead = (
  dialects: readonly Dialect[],
  without: readonly string[] | undefined,
  /** Matchers with this text never fire in the host, so hooks with one are still read. */
  neverFires: string | null = null,
): readonly Dialect[] => withOrganisations(unread(dialects, without, neverFires));

/** Known by name and tool names, but its files are not read, not even by another dialect. */
const unread = (
  dialects: readonly Dialect[],
  without: readonly string[] = [],
  neverFires: string | null,
): readonly Dialect[] =>
  dialects.map((dialect) => {
    if (without.includes(dialect.name))
      return {
        ...dialect,
        config: { ...dialect.config, places: () => [] },
        ...(dialect.moduleFinder && { moduleFinder: namedOnly(dialect.moduleFinder) }),
      };
    const parts = partsLeft(without, dialect);
    if (parts.length === 0) return dialect;
    const isRead = (file: string) => !parts.some((part) => file.includes(part));
    const finder = dialect.moduleFinder && withoutFiles(dialect.moduleFinder, isRead);
    const config =
      neverFires === null ? withPlaces(dialect, isRead) : onlyUnfired(dialect, isRead, neverFires);
    return { ...dialect, config, ...(finder && { moduleFinder: finder }) };
  });

/** `goose@/part/` excludes only those of its files whose path contains that part. */
export const partsLeft = (without: readonly string[], { name }: Dialect): readonly string[] =>
  without.filter((entry) => entry.startsWith(`${name}@`)).map((one) => one.slice(name.length + 1));

const withPlaces = ({ config }: Dialect, isRead: (file: string) => boolean): Dialect['config'] => ({
  ...config,
  places: (where) => config.places(where).filter(({ file }) => isRead(file)),
});

/** From files left to the host, keeps only the hooks that never fire there. The host reports mistakes in these files. */
const onlyUnfired = (
  { config }: Dialect,
  isRead: (file: string) => boolean,
  neverFires: string,
): Dialect['config'] => ({
  ...config,
  read(text, place, ...rest) {
    const read = config.read(text, place, ...rest);
    if (isRead(place.file)) return read;
    const hooks = read.hooks.filter(({ matcher }) => matcher?.includes(neverFires) === true);
    return { hooks, modules: [], problems: [] };
  },
});

/** Its own files name no modules, because they are not read. Modules named in our files are unknown to its agent. */
const namedOnly = (finder: ModuleFinder): ModuleFinder => ({
  ...finder,
  find: (where, named) =>
    named.length === 0
      ? { modules: [], problems: [] }
      : finder.find({ ...where, list: () => [], obstacle: () => undefined }, named),
});

const withoutFiles = (finder: ModuleFinder, isRead: (file: string) => boolean): ModuleFinder => ({
  ...finder,
  find(where, named) {
    const found = finder.find(where, named);
    return {
      ...found,
      modules: found.modules.filter(({ file, asker }) => isRead(file) && isRead(asker.file)),
    };
  },
});

/** Always includes the organisation's folder, whatever the program reads or leaves out. */
function withOrganisations(dialects: readonly Dialect[]): readonly Dialect[] {
  const [ours] = dialectsNamed(['anyhook']).dialects;
  if (ours === undefined || dialects.includes(ours)) return dialects;
  const read = dialects.find(({ name }) => name === ours.name);
  const places: Dialect['config']['places'] = (where) => {
    const organisations = ours.config.places(where).filter(({ layer }) => layer === 'managed');
    const others = read?.config.places(where).filter(({ layer }) => layer !== 'managed') ?? [];
    return [...organisations, ...others];
  };
  const { name } = ours;
  return [
    ...dialects.filter((dialect) => dialect.name !== name),
    { ...ours, config: { ...ours.config, places } },
  ];
}
