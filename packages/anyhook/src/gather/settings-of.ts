/** Merges the engine settings of files and program. The program wins, then the strictest file. */

import { type ApprovalSettings, mergedApprovals } from '../events/approval-settings.ts';
import { type Layer, LAYERS } from '../events/hook.ts';
import { mergedUndo, type UndoChoice, type UndoSettings } from '../events/undo-settings.ts';
import type { LoadedSettings } from '../settings/load.ts';
import type { JournalOptions, Options, SettingsOptions } from './options.ts';

export interface EngineSettings {
  /** Order from the files only. Dialects that the program lists already have the program's order. */
  readonly order: readonly string[] | undefined;
  readonly journal: false | JournalOptions;
  readonly shadow: boolean;
  /** Whether refusals are remembered. Those of the organisation always are. */
  readonly sticky: boolean;
  /** Timeout for loading one module; undefined: not set. */
  readonly loadMs: number | undefined;
  /** Ids of hooks whose `allow` answers questions of other hooks. */
  readonly approvers: readonly string[];
  readonly approvals: ApprovalSettings;
  /** Undefined: undo is off. */
  readonly undo: UndoSettings | undefined;
}

/** The program options that affect these settings. */
type SaidByProgram = Pick<Options, 'settings' | 'journal' | 'limits' | 'modules' | 'trust' | 'undo'>;

/** `false` is short for no layers. */
export const wantedSettings = ({ settings = {} }: SaidByProgram): SettingsOptions =>
  settings === false ? { layers: [] } : settings;

/** The organisation's layer cannot be left out. A program reads either all settings or none. */
export function layersOf(options: SaidByProgram): readonly Layer[] {
  const { layers = LAYERS } = wantedSettings(options);
  const isMissing = options.settings !== false && !layers.includes('managed');
  return isMissing ? ['managed', ...layers] : layers;
}

/**
 * `shadow` in a file applies to the hooks of that file only and is already set on them. Only the program can put all
 * hooks in shadow mode.
 */
export function settingsOf(settings: LoadedSettings['settings'], options: SaidByProgram): EngineSettings {
  const firstValue = (key: string) =>
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
        ? (firstValue('order') as readonly string[] | undefined)
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
    sticky: firstValue('sticky') !== false,
    loadMs: options.modules?.loadMs ?? (firstValue('loadMs') as number | undefined),
    approvals: mergedApprovals(
      settings.flatMap(({ values }) => (values['approvals'] as Partial<ApprovalSettings> | undefined) ?? []),
    ),
    undo: mergedUndo([
      ...(options.undo === undefined ? [] : [options.undo]),
      ...settings.flatMap(({ values }) => (values['undo'] as UndoChoice | undefined) ?? []),
    ]),
    approvers: [
      ...(options.trust?.approvers ?? []),
      ...settings.flatMap(({ values }) => (values['approvers'] as readonly string[] | undefined) ?? []),
    ],
  };
}

/** Journal settings of the organisation override those of programs and users. */
const organisations = (settings: LoadedSettings['settings']): JournalOptions =>
  Object.assign(
    {},
    ...settings.filter(({ layer }) => layer === 'managed').map(({ values }) => values['journal']),
  ) as JournalOptions;
