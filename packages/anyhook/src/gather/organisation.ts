/** Reads the policy of the organisation that manages this machine, and applies it to all hooks. */

import { missingOwnHook } from '../agents/anyhook/dialect/definition.ts';
import type { Locations, ManagedFolder } from '../events/dialect.ts';
import { type Hook, type Layer, label } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import { readerFailure } from '../events/safe-readers.ts';
import { isInside } from '../settings/inside.ts';
import type { LoadedSettings } from '../settings/load.ts';
import { isManagedThere, looseEnds, passedOver } from '../settings/managed.ts';
import {
  counts,
  exceptionFor,
  openPolicy,
  type Policy,
  type PolicyException,
  type PolicyRead,
  readPolicy,
  userName,
} from '../settings/policy.ts';

export interface Organisation {
  readonly policy: Policy;
  readonly problems: readonly Problem[];
  /** Guards that refuse all refusable calls if the policy cannot be relied on. */
  readonly hooks: readonly Hook[];
  /** Undefined: any content that the user trusts may run. */
  readonly hashes: ReadonlySet<string> | undefined;
  /** Returns a hook of the organisation as it is enforced for this user today. */
  enforced(hook: Hook): Hook;
  isCounted(layer: Layer, dialect: string): boolean;
  /** Returns the settings that apply, including the organisation's journal settings. */
  counted(loaded: LoadedSettings): LoadedSettings;
}

/** Undefined if there is no such folder, as on most machines. */
export function organisationOf({ managed }: Locations): Organisation | undefined {
  if (managed === undefined || !isManagedThere(managed)) return undefined;
  const { loose, policy, problems, isSound, ignored } = policyIn(managed);
  const user = userName();
  const unread = ignored.map((file) => notRead(file, policy));
  const isCounted = (layer: Layer, dialect: string) =>
    layer === 'managed' ? loose.length === 0 || dialect !== 'anyhook' : counts(policy, layer, dialect);
  return {
    policy,
    problems: [...problems, ...unread],
    hooks: isSound ? [] : problems.slice(0, 1).map(refuses),
    hashes:
      typeof policy.project === 'string' || policy.project.hashes === undefined
        ? undefined
        : new Set(policy.project.hashes),
    enforced(hook) {
      if (!isInside(managed.folder, hook.origin.file)) return hook;
      const excepted = exceptionFor(policy, [hook.id, label(hook)], { user, nowMs: Date.now() });
      if (excepted !== undefined) return { ...hook, shadow: true, exception: exceptionText(excepted) };
      return policy.shadow ? { ...hook, shadow: true } : hook;
    },
    isCounted,
    counted(loaded) {
      const hooks = loaded.hooks.filter(({ origin, dialect }) => isCounted(origin.layer, dialect));
      const modules = loaded.modules.filter(({ place, dialect }) => isCounted(place.layer, dialect));
      const gone = loaded.hooks.length + loaded.modules.length - hooks.length - modules.length;
      const journal = {
        layer: 'managed',
        file: policy.file,
        values: { journal: { required: true } },
      } as const;
      return {
        ...loaded,
        hooks,
        modules,
        settings: [
          ...(policy.journal === 'required' ? [journal] : []),
          ...loaded.settings.filter(({ layer }) => isCounted(layer, 'anyhook')),
        ],
        unread: loaded.unread.filter(({ place, dialect }) => isCounted(place.layer, dialect)),
        problems: [...loaded.problems, ...(gone === 0 || loose.length > 0 ? [] : [notCounted(gone, policy)])],
      };
    },
  };
}

interface PolicyFound extends PolicyRead {
  /** Files that users other than the owner can write. */
  readonly loose: readonly Problem[];
  /** Files next to the version that is in force. */
  readonly ignored: readonly string[];
}
function policyIn(managed: ManagedFolder): PolicyFound {
  const policy = openPolicy(managed);
  try {
    const loose = looseEnds(managed);
    // A policy that other users can write must not decide about hooks.
    const read = loose.length > 0 ? { policy, problems: loose, isSound: false } : readPolicy(managed);
    return { ...read, loose, ignored: passedOver(managed) };
  } catch (error) {
    // A reader bug or disk failure: the policy might forbid the next call.
    const problem = readerFailure('your organisation', policy.file, error);
    return { policy, problems: [problem], isSound: false, loose: [], ignored: [] };
  }
}

const exceptionText = ({ user, until, by, reason }: PolicyException): string =>
  `${user}, until ${until}${by === undefined ? '' : `, by ${by}`}: ${reason}`;

const refuses = ({ file, line, message }: Problem): Hook =>
  missingOwnHook(
    'tool.before',
    `organisation:${file}`,
    { layer: 'managed', file, line: line ?? 1 },
    {
      kind: 'not-loaded',
      detail: message,
    },
  );

const notRead = (file: string, { version }: Policy): Problem => ({
  code: 'policy',
  file,
  message: `is not read: version ${version} of your organisation's policy is in force, from another folder.`,
  remedy: 'Ask your administrator to remove it.',
  severity: 'warning',
});

/** Reports hooks that the policy excludes, so that none is disabled silently. */
const notCounted = (gone: number, { file, version }: Policy): Problem => ({
  code: 'policy',
  file,
  message: `${gone === 1 ? 'one hook or module does' : `${gone} hooks and modules do`} not count here: version ${version} of your organisation's policy excludes them.`,
  remedy: 'The policy lists what runs under "user" and "project".',
  severity: 'warning',
});
