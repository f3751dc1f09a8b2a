/**
 * Wraps a dialect's settings readers so that they do not throw. If a reader fails, the other files must still
 * be read, the message must name the file, and guards that may be in the file must count as broken.
 */

import type { ConfigRead, Dialect, Locations, ModuleFinder, PackFolder, Place } from './dialect.ts';
import type { Problem } from './problems.ts';

export function withSafeReaders(dialect: Dialect): Dialect {
  const { config, moduleFinder } = dialect;
  const failed = (file: string, error: unknown): Problem => readerFailure(dialect.name, file, error);
  return {
    ...dialect,
    config: {
      ...config,
      places(locations) {
        const tracked = trackReads(locations);
        try {
          return config.places(tracked.locations);
        } catch (error) {
          return [unreadPlace(failed(tracked.lastPath() ?? `(settings of ${dialect.name})`, error))];
        }
      },
      read(text, place, wordFor): ConfigRead {
        try {
          return config.read(text, place, wordFor);
        } catch (error) {
          return { hooks: [], modules: [], problems: [failed(place.file, error)] };
        }
      },
      ...(config.packPlace && {
        packPlace(pack: PackFolder, locations: Locations): Place {
          try {
            return config.packPlace!(pack, locations);
          } catch (error) {
            return { ...unreadPlace(failed(pack.folder, error)), layer: pack.layer };
          }
        },
      }),
      ...(config.admit && {
        admit(...[place, others]: Parameters<NonNullable<typeof config.admit>>) {
          try {
            return config.admit!(place, others);
          } catch (error) {
            return failed(place.file, error);
          }
        },
      }),
      ...(config.settle && {
        settle(...[hook, others]: Parameters<NonNullable<typeof config.settle>>) {
          try {
            return config.settle!(hook, others);
          } catch (error) {
            return { hook, problem: failed(hook.origin.file, error) };
          }
        },
      }),
    },
    ...(moduleFinder && { moduleFinder: safeFinder(moduleFinder, failed) }),
  };
}

const safeFinder = (
  finder: ModuleFinder,
  failed: (file: string, error: unknown) => Problem,
): ModuleFinder => ({
  ...finder,
  find(locations, named) {
    const tracked = trackReads(locations);
    try {
      return finder.find(tracked.locations, named);
    } catch (error) {
      const file = tracked.lastPath() ?? named[0]?.place.file ?? locations.home;
      return { modules: [], problems: [failed(file, error)] };
    }
  },
});

export const isReaderFailure = ({ code }: Problem): boolean => code === 'reader-failed';

export const readerFailure = (what: string, file: string, error: unknown): Problem => ({
  code: 'reader-failed',
  file,
  message: `could not be read as settings of ${what} (${messageOf(error)}).`,
  remedy: 'Fix the file or move it away. Tool calls are refused until then.',
  severity: 'error',
});

/** Counted as the user's file, because the user's own files of this dialect could not be read either. */
const unreadPlace = (fault: Problem): Place => ({ layer: 'user', file: fault.file, fault });

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : `it threw ${String(error)}`;

/** The last path that a reader accessed is the best guess at the cause of its failure. */
function trackReads(locations: Locations): {
  readonly locations: Locations;
  readonly lastPath: () => string | undefined;
} {
  let last: string | undefined;
  const tracked =
    <T>(look: ((path: string) => T) | undefined) =>
    (path: string): T => {
      last = path;
      return look!(path);
    };
  const { list, read, obstacle } = locations;
  return {
    locations: {
      ...locations,
      ...(list && { list: tracked(list) }),
      ...(read && { read: tracked(read) }),
      ...(obstacle && { obstacle: tracked(obstacle) }),
    },
    lastPath: () => last,
  };
}
