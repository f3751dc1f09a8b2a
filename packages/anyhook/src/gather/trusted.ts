/**
 * Enforces trust: nothing from a project runs before the user trusts it, and the bytes that run are the bytes that were
 * judged.
 */
import type { Locations } from '../events/dialect.ts';
import type { HookFailure } from '../events/exchange.ts';
import { type Hook, label } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import { type TrustEntry, entryOf, moduleEntry } from '../settings/trust/entry.ts';
import type { TrustJudgement } from '../settings/trust/gate.ts';
import { openProject } from '../settings/trust/project.ts';
import { identityOf } from '../settings/trust/record.ts';
import { stoodFile } from '../settings/stood.ts';
import { settleStood } from './standing.ts';
import { openTrustSession } from '../settings/trust/session.ts';
import { changedInPlace, stagedHook } from '../settings/trust/stage.ts';
import { openTrustStore } from '../settings/trust/store.ts';
import type { Folders } from './folders.ts';
import type { ExaminedEntry, Gate } from './gate.ts';
import type { TrustOptions } from './options.ts';
import { announcing } from './announcing.ts';
import { mayBeAsked } from './person.ts';
import { varsOf } from './vars.ts';

/** `until` is the deadline for checking waiting entries, on the monotonic clock. */
export function openGate(
  locations: Locations,
  folders: Folders,
  trust: TrustOptions,
  until: number = Infinity,
  /** The only hashes that the organisation's policy allows. */
  listed?: ReadonlySet<string>,
): Gate {
  const store = openTrustStore(folders.trust);
  const project = openProject(locations.cwd);
  const session = openTrustSession({
    project,
    store,
    copies: folders.staged,
    isTerminal: mayBeAsked(locations.env),
    vars: varsOf(locations),
    ...(trust.hashes && { hashes: trust.hashes }),
    ...(trust.folders && { folders: trust.folders }),
  });
  const granted = announcing(session.grant, folders);
  const { root } = project;
  const examined: ExaminedEntry[] = [];
  const problems: Problem[] = [];
  const judge = (entry: TrustEntry, origin: { file: string; line: number }, hook?: Hook) => {
    const found = session.judge(entry);
    const isListed = listed?.has(found.hash) ?? true;
    const judgement: TrustJudgement = isListed ? found : { ...found, state: 'unknown', mayAsk: false };
    const { file, line } = origin;
    examined.push({ file, line, entry, judgement, ...(hook && { hook }) });
    if (!isListed) problems.push(unlisted(found, origin));
    else if (judgement.state !== 'trusted') problems.push(waiting(judgement, origin));
    return judgement;
  };
  const inPlace = new Map<string, readonly TrustJudgement['trustedFiles'][]>();
  let unexamined = 0;
  /** The store is read once, because this is called for every module of a folder. */
  let trustedSettings: ReadonlySet<string> | undefined;
  const knows = (settingsFile: string) =>
    (trustedSettings ??= new Set(store.list().map(({ settings }) => settings))).has(settingsFile);
  return {
    examined,
    grant(entry) {
      const added = granted(entry);
      trustedSettings = undefined;
      // The new entry replaces its earlier version.
      if (added.kind !== 'failed')
        settleStood(stoodFile(folders.stood, root), root, {
          identity: identityOf(session.judge(entry).trustedFiles),
          but: new Set(
            examined.flatMap(({ judgement: { state, hash } }) => (state === 'trusted' ? [hash] : [])),
          ),
        });
      return added;
    },
    knows,
    get problems() {
      return [
        ...problems,
        ...(unexamined === 0 ? [] : [outOfTime(unexamined, locations.cwd)]),
        ...store.problems,
      ];
    },
    hook(hook) {
      if (hook.run.kind === 'missing') return knows(hook.origin.file) ? hook : unheard(hook);
      const entry = entryOf(hook, locations.cwd);
      const judgement = judge(entry, hook.origin, hook);
      if (judgement.state !== 'trusted')
        return { ...hook, label: label(hook), run: { kind: 'missing', why: waits(judgement) } };
      if (entry.named.kind !== 'command') return hook;
      const staged = session.stage(entry);
      if (staged.kind === 'unstaged')
        return { ...hook, run: { kind: 'missing', why: { kind: 'not-started', detail: staged.why } } };
      if (judgement.trustedFiles.inPlace.length > 0)
        inPlace.set(placeOf(hook), [...(inPlace.get(placeOf(hook)) ?? []), judgement.trustedFiles]);
      return stagedHook(hook, staged, judgement.trustedFiles.project.root);
    },
    changed: (hook) => (inPlace.get(placeOf(hook)) ?? []).flatMap(changedInPlace),
    module(file, asker, dialect = 'anyhook', options) {
      if (performance.now() > until) {
        unexamined++;
        // Content that was never trusted does not run in any case. Content that may have been trusted must not be
        // skipped silently.
        const detail = 'the time limit for this event was reached before it could be checked';
        return knows(asker.file) || (trust.hashes ?? []).length > 0
          ? { kind: 'no-time', detail }
          : { kind: 'not-trusted', detail };
      }
      const entry = moduleEntry(file, { file: asker.file, dialect, options });
      const judgement = judge(entry, { file, line: 1 });
      if (judgement.state !== 'trusted') return waits(judgement);
      const staged = session.stage(entry);
      return staged.kind === 'staged'
        ? { file: staged.file ?? file }
        : { kind: 'not-started', detail: staged.why };
    },
  };
}

/** A broken entry has no bytes to trust. It may only block if something in its file was trusted before. */
const unheard = (hook: Hook): Hook => ({
  ...hook,
  run: {
    kind: 'missing',
    why: { kind: 'not-trusted', detail: 'broken, and nothing in its file was ever trusted' },
  },
});

const unlisted = ({ hash }: TrustJudgement, { file, line }: { file: string; line: number }): Problem => ({
  code: 'policy',
  file,
  line,
  message: `your organisation's policy does not list this content (${hash}): it does not run, even if you trust it.`,
  remedy: 'Ask for this hash to be listed under "project" in its policy.json.',
  severity: 'warning',
});

const outOfTime = (count: number, file: string): Problem => ({
  code: 'not-trusted',
  file,
  message: `${count} modules of the project were not checked: the time limit for this event was reached. They do not run.`,
  remedy: 'Review them with: anyhook trust list',
  severity: 'warning',
});

/** The location of the hook. Its id may change later to stay unique. */
const placeOf = ({ origin, dialect, on }: Hook): string =>
  `${dialect}\0${on}\0${origin.file}\0${origin.line}`;

const waits = ({ state, hash }: TrustJudgement): HookFailure => ({
  kind: 'not-trusted',
  detail: `${state} (${hash})`,
});

function waiting(
  { state, hash, trustedFiles }: TrustJudgement,
  { file, line }: { file: string; line: number },
): Problem {
  const why = {
    modified: 'has changed since it was trusted; it does not run.',
    unknown: 'comes from the project and was never trusted; it does not run.',
    untrustable: `cannot be trusted: ${trustedFiles.obstacles.join('; ')}.`,
    trusted: '',
  }[state];
  const remedy =
    state === 'untrustable' ? 'Fix that first.' : `Review it, then run: anyhook trust add ${hash}`;
  return { code: 'not-trusted', file, line, message: why, remedy, severity: 'warning' };
}
