/** What files and program say about the engine itself. The program's word counts, then the stricter file's. */
import { type Layer, LAYERS } from '../events/hook.ts';
import type { LoadedSettings } from '../settings/load.ts';
import type { JournalOptions, Options, SettingsOptions } from './options.ts';

export interface EngineSettings {
  /** Of the files alone: dialects that the program names are in the program's order already. */
  readonly order: readonly string[] | undefined;
  readonly journal: false | JournalOptions;
  readonly shadow: boolean;
  /** For one module to load; none: nobody says. */
  readonly loadMs: number | undefined;
  /** Hooks whose `allow` answers a question of another hook, by id. */
  readonly approvers: readonly string[];
}

/** All that the program says about them. */
type SaidByProgram = Pick<Options, 'settings' | 'journal' | 'limits' | 'modules' | 'trust'>;

/** `false` is the short form of no layers. */
export const wantedSettings = ({ settings = {} }: SaidByProgram): SettingsOptions =>
  settings === false ? { layers: [] } : settings;

/** The organisation's layer is never left out: a program either reads settings, or it reads none. */
export function layersOf(options: SaidByProgram): readonly Layer[] {
  const { layers = LAYERS } = wantedSettings(options);
  const isMissing = options.settings !== false && !layers.includes('managed');
  return isMissing ? ['managed', ...layers] : layers;
}

/** `shadow` of a file concerns that file's hooks and is on them already; only the program can put all in shadow. */
export function settingsOf(settings: LoadedSettings['settings'], options: SaidByProgram): EngineSettings {
  const said = (key: string) =>
    settings.map(({ values }) => values[key]).find((value) => value !== undefined);
  const journals = settings.map(({ values }) => values['journal'] as JournalOptions | undefined);
  const folder = journals.find((journal) => journal?.folder !== undefined)?.folder;
  const origin = journals.find((journal) => journal?.origin !== undefined)?.origin;
  const required = journals.some((journal) => journal?.required === true);
  const least = (key: 'keepDays' | 'keepBytes') => {
    const wanted = journals.flatMap((journal) => journal?.[key] ?? []);
    return wanted.length === 0 ? {} : { [key]: Math.min(...wanted) };
  };
  return {
    order:
      wantedSettings(options).dialects === undefined
        ? (said('order') as readonly string[] | undefined)
        : undefined,
    journal:
      options.journal === false && !required
        ? false
        : {
            ...(folder !== undefined && { folder }),
            ...(origin !== undefined && { origin }),
            ...least('keepDays'),
            ...least('keepBytes'),
            ...options.journal,
            ...organisations(settings),
            ...(required && { required }),
          },
    shadow: options.limits?.shadow === true,
    loadMs: options.modules?.loadMs ?? (said('loadMs') as number | undefined),
    approvers: [
      ...(options.trust?.approvers ?? []),
      ...settings.flatMap(({ values }) => (values['approvers'] as readonly string[] | undefined) ?? []),
    ],
  };
}

/** What the organisation says about the journal is no program's and no person's to say otherwise. */
const organisations = (settings: LoadedSettings['settings']): JournalOptions =>
  Object.assign(
    {},
    ...settings.filter(({ layer }) => layer === 'managed').map(({ values }) => values['journal']),
  ) as JournalOptions;
