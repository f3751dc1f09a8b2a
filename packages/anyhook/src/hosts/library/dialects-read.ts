/** Of which dialects settings are read, as a program asks for it. */
import { dialectsNamed } from '../../assemble.ts';
import type { Dialect, ModuleFinder } from '../../canon/dialect.ts';

export const dialectsRead = (
  dialects: readonly Dialect[],
  without: readonly string[] | undefined,
): readonly Dialect[] => withOrganisations(unread(dialects, without));

/** Known by name and words, and not read: a file of theirs stays theirs, whoever else would read it. */
const unread = (dialects: readonly Dialect[], without: readonly string[] = []): readonly Dialect[] =>
  dialects.map((dialect) => {
    if (without.includes(dialect.name))
      return {
        ...dialect,
        config: { ...dialect.config, places: () => [] },
        ...(dialect.moduleFinder && { moduleFinder: namedOnly(dialect.moduleFinder) }),
      };
    const part = partLeft(without, dialect);
    if (part === undefined) return dialect;
    const isLeft = (file: string) => !file.includes(part);
    const places: Dialect['config']['places'] = (where) =>
      dialect.config.places(where).filter(({ file }) => isLeft(file));
    const finder = dialect.moduleFinder && withoutFiles(dialect.moduleFinder, isLeft);
    return { ...dialect, config: { ...dialect.config, places }, ...(finder && { moduleFinder: finder }) };
  });

/** `goose@/part/` leaves those files of it whose path holds that. */
export const partLeft = (without: readonly string[], { name }: Dialect): string | undefined =>
  without.find((one) => one.startsWith(`${name}@`))?.slice(name.length + 1);

/** Its own files name nothing, as they are not read; what ours name, its agent knows nothing of. */
const namedOnly = (finder: ModuleFinder): ModuleFinder => ({
  ...finder,
  find: (where, named) =>
    named.length === 0
      ? { modules: [], problems: [] }
      : finder.find({ ...where, list: () => [], obstacle: () => undefined }, named),
});

const withoutFiles = (finder: ModuleFinder, isLeft: (file: string) => boolean): ModuleFinder => ({
  ...finder,
  find(where, named) {
    const found = finder.find(where, named);
    return {
      ...found,
      modules: found.modules.filter(({ file, asker }) => isLeft(file) && isLeft(asker.file)),
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
