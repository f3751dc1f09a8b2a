/** Of which dialects settings are read, as a program asks for it. */
import { dialectsNamed } from '../dialects.ts';
import type { Dialect, ModuleFinder } from '../events/dialect.ts';

export const dialectsRead = (
  dialects: readonly Dialect[],
  without: readonly string[] | undefined,
  /** Matchers with this text never fire in the host: hooks with one are read all the same. */
  neverFires: string | null = null,
): readonly Dialect[] => withOrganisations(unread(dialects, without, neverFires));

/** Known by name and words, and not read: a file of theirs stays theirs, whoever else would read it. */
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

/** `goose@/part/` leaves those files of it whose path holds that. */
export const partsLeft = (without: readonly string[], { name }: Dialect): readonly string[] =>
  without.filter((one) => one.startsWith(`${name}@`)).map((one) => one.slice(name.length + 1));

const withPlaces = ({ config }: Dialect, isRead: (file: string) => boolean): Dialect['config'] => ({
  ...config,
  places: (where) => config.places(where).filter(({ file }) => isRead(file)),
});

/** Of the files that are left to the host, only the hooks that never fire there. Mistakes in these files are the host's to report. */
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

/** Its own files name nothing, as they are not read; what ours name, its agent knows nothing of. */
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

/** Whatever a program reads or leaves out, the organisation's own folder is read. */
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
  return [...dialects.filter((one) => one.name !== name), { ...ours, config: { ...ours.config, places } }];
}
