/** Where the files of each dialect keep what a person may want to change. Data: read by the menu and by doctor. */

export interface EntryFields {
  /** `group`: it stands beside the list that the entry is in, and counts for all of that list. */
  readonly matcher: { readonly key: string; readonly in: 'entry' | 'group' };
  readonly timeout: { readonly key: string; readonly unit: 'ms' | 's' };
}

const GROUPED = { key: 'matcher', in: 'group' } as const;
const SECONDS = { key: 'timeout', unit: 's' } as const;

const FIELDS: Readonly<Record<string, EntryFields>> = {
  anyhook: { matcher: { key: 'match', in: 'entry' }, timeout: { key: 'timeoutMs', unit: 'ms' } },
  opta: { matcher: { key: 'matcher', in: 'entry' }, timeout: { key: 'timeout', unit: 'ms' } },
  'claude-code': { matcher: GROUPED, timeout: SECONDS },
  codex: { matcher: GROUPED, timeout: SECONDS },
  goose: { matcher: GROUPED, timeout: SECONDS },
  'gemini-cli': { matcher: GROUPED, timeout: { key: 'timeout', unit: 'ms' } },
};

/** Undefined: hooks of this dialect are code, or its file has neither of them. */
export const entryFields = (dialect: string): EntryFields | undefined =>
  Object.hasOwn(FIELDS, dialect) ? FIELDS[dialect] : undefined;
