/** What files and program say about the engine itself. The program's word counts, then the stricter file's. */
import type { Loaded } from '../../settings/load.ts';
import type { JournalOptions, Options } from './options.ts';

export interface Wanted {
  readonly order: readonly string[] | undefined;
  readonly journal: false | JournalOptions;
  readonly shadow: boolean;
}

/** `shadow` of a file concerns that file's hooks and is on them already; only the program can put all in shadow. */
export function settingsOf(settings: Loaded['settings'], options: Options): Wanted {
  const said = (key: string) =>
    settings.map(({ values }) => values[key]).find((value) => value !== undefined);
  const journals = settings.map(({ values }) => values['journal'] as JournalOptions | undefined);
  const folder = journals.find((journal) => journal?.folder !== undefined)?.folder;
  const required = journals.some((journal) => journal?.required === true);
  const fromFiles: JournalOptions = {
    ...(folder !== undefined && { folder }),
    ...(required && { required }),
  };
  return {
    order: options.dialects ?? (said('order') as readonly string[] | undefined),
    journal: options.journal === false && !required ? false : { ...fromFiles, ...(options.journal || {}) },
    shadow: options.shadow === true,
  };
}
