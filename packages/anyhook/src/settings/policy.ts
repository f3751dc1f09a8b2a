/**
 * Reads `policy.json` of the organisation's folder: which other hooks count, and who is exempt from the
 * organisation's hooks.
 */

import { userInfo } from 'node:os';
import { join } from 'node:path';
import {
  checkShape,
  flag,
  listOf,
  object,
  oneOf,
  type Shape,
  type Spot,
  spotAt,
  text,
  whole,
} from '../events/checker.ts';
import type { ManagedFolder } from '../events/dialect.ts';
import { readDocument } from '../events/document.ts';
import type { Problem } from '../events/problems.ts';
import { readSettingsFile } from './read-file.ts';

/** What counts of a layer. `hashes`: only content with these hashes, as shown by `anyhook trust list`. */
export interface LayerRule {
  readonly dialects?: readonly string[];
  readonly hashes?: readonly string[];
}
export interface PolicyException {
  /** Id or display name of the hook. */
  readonly hook: string;
  readonly user: string;
  /** The last day on which it is valid, in UTC. */
  readonly until: string;
  readonly reason: string;
  /** Who granted it. */
  readonly by?: string;
}
export interface Policy {
  readonly file: string;
  readonly version: number;
  /** Trial mode: the organisation's hooks run and are recorded, but nothing is enforced. */
  readonly shadow: boolean;
  readonly user: 'all' | 'none' | LayerRule;
  readonly project: 'all' | 'none' | LayerRule;
  readonly journal?: 'required';
  readonly exceptions: readonly PolicyException[];
}
export interface PolicyRead {
  readonly policy: Policy;
  readonly problems: readonly Problem[];
  /** True if the policy could be read completely. Otherwise it may forbid what is about to happen. */
  readonly isSound: boolean;
}

const rule: Shape<'all' | 'none' | LayerRule> = (spot) =>
  typeof spot.value === 'string'
    ? oneOf(['all', 'none'])(spot)
    : object({ dialects: listOf(text), hashes: listOf(hash) })(spot);

const hash: Shape<string> = (spot) =>
  matching(spot, /^sha256:[0-9a-f]{64}$/, 'a hash as shown by `anyhook trust list`');
const day: Shape<string> = (spot) => {
  const value = matching(spot, /^\d{4}-\d\d-\d\d$/, 'a day, such as "2027-01-31"');
  if (value === undefined || !Number.isNaN(Date.parse(value))) return value;
  spot.report('bad-value', `${JSON.stringify(value)} is not a valid date`);
  return undefined;
};

function matching(spot: Spot, form: RegExp, what: string): string | undefined {
  const value = text(spot);
  if (value === undefined || form.test(value)) return value;
  spot.report('bad-value', `${JSON.stringify(value)} is not ${what}`);
  return undefined;
}

/** An exception needs a hook, a user, an end and a reason. */
const exception: Shape<PolicyException> = (spot) => {
  const read = object({ hook: text, user: text, until: day, reason: text, by: text })(spot);
  const missing = (['hook', 'user', 'until', 'reason'] as const).find(
    (key) => spot.part(key).value === undefined,
  );
  if (missing !== undefined) spot.report('bad-value', `has no ${JSON.stringify(missing)}`);
  const { hook, user, until, reason } = read ?? {};
  return [hook, user, until, reason].includes(undefined) ? undefined : (read as PolicyException);
};

const FILE = object({
  $schema: text,
  version: whole(1, Number.MAX_SAFE_INTEGER),
  shadow: flag,
  user: rule,
  project: rule,
  journal: oneOf(['required']),
  exceptions: listOf(exception),
});

/**
 * The policy of a folder without the file: everything counts and no user is exempt. If a version is active,
 * the file is required.
 */
export const openPolicy = ({ folder, inForce = folder }: ManagedFolder): Policy => ({
  file: join(inForce, 'policy.json'),
  version: 0,
  shadow: false,
  user: 'all',
  project: 'all',
  exceptions: [],
});

export function readPolicy(managed: ManagedFolder): PolicyRead {
  const open = openPolicy(managed);
  const { file } = open;
  const found = readSettingsFile(file);
  if (found.kind === 'missing')
    return managed.inForce === undefined
      ? { policy: open, problems: [], isSound: true }
      : { policy: open, problems: [gone(file, managed)], isSound: false };
  if (found.kind === 'problem') return { policy: open, problems: [found.problem], isSound: false };
  const document = readDocument(found.text, file);
  if (document.problems.length > 0) return { policy: open, problems: document.problems, isSound: false };
  const { value = {}, problems, sound } = checkShape(document, [], FILE);
  const versionProblems: Problem[] = [];
  if (value.version === undefined && sound)
    spotAt(document, [], versionProblems).report('bad-value', 'has no "version"', {
      remedy: 'Increase it with every change: machines refuse to go back to an older version.',
    });
  const { $schema: _, ...rest } = value;
  return {
    policy: { ...open, ...rest },
    problems: [...problems, ...versionProblems],
    isSound: sound && versionProblems.length === 0,
  };
}

const gone = (file: string, { folder }: ManagedFolder): Problem => ({
  code: 'policy',
  file,
  message: `does not exist, although ${join(folder, 'current')} names this version. The policy of your organisation is unknown.`,
  remedy: 'Ask your administrator to apply the policy again.',
  severity: 'error',
});

export function counts({ user, project }: Policy, layer: string, dialect: string): boolean {
  const rules = layer === 'user' ? user : layer === 'project' ? project : 'all';
  if (typeof rules === 'string') return rules === 'all';
  return rules.dialects?.includes(dialect) ?? true;
}

/** Asks the system, because any process could set a variable. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Returns the exception that is valid for this user today. */
export const exceptionFor = (
  { exceptions }: Policy,
  names: readonly string[],
  { user, nowMs }: { readonly user: string; readonly nowMs: number },
): PolicyException | undefined =>
  exceptions.find(
    (one) => names.includes(one.hook) && one.user === user && nowMs < Date.parse(one.until) + DAY_MS,
  );
const DAY_MS = 24 * 60 * 60 * 1000;
