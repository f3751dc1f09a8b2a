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
import { openTrustSession, type TrustSession } from '../settings/trust/session.ts';
import { changedInPlace, stagedHook } from '../settings/trust/stage.ts';
import { type AddResult, openTrustStore, type TrustStore } from '../settings/trust/store.ts';
import { trustedGuardsFile } from '../settings/trusted-guards.ts';
import { announcing } from './announcing.ts';
import type { Folders } from './folders.ts';
import type { ExaminedEntry, Gate } from './gate.ts';
import { settleTrustedGuards } from './missed-guards.ts';
import type { TrustOptions } from './options.ts';
import { mayBeAsked } from './person.ts';
import { varsOf } from './vars.ts';

/** `until` is the deadline for checking waiting entries, on the monotonic clock. */
export const openGate = (
  locations: Locations,
  folders: Folders,
  trust: TrustOptions,
  until: number = Infinity,
  /** The only hashes that the organisation's policy allows. */
  listed?: ReadonlySet<string>,
): Gate => new TrustGate(locations, folders, trust, { until, listed });

interface GateLimits {
  readonly until: number;
  readonly listed: ReadonlySet<string> | undefined;
}

class TrustGate implements Gate {
  readonly examined: ExaminedEntry[] = [];
  readonly #locations: Locations;
  readonly #folders: Folders;
  readonly #trust: TrustOptions;
  readonly #limits: GateLimits;
  readonly #store: TrustStore;
  readonly #session: TrustSession;
  readonly #granted: TrustSession['grant'];
  readonly #root: string;
  readonly #problems: Problem[] = [];
  /** Trusted files that run from where they are, by position of the hook. */
  readonly #inPlace = new Map<string, readonly TrustJudgement['trustedFiles'][]>();
  #unexamined = 0;
  /** The store is read once, because this is needed for every module of a folder. */
  #trustedSettings: ReadonlySet<string> | undefined;

  constructor(locations: Locations, folders: Folders, trust: TrustOptions, limits: GateLimits) {
    this.#locations = locations;
    this.#folders = folders;
    this.#trust = trust;
    this.#limits = limits;
    this.#store = openTrustStore(folders.trust);
    const project = openProject(locations.cwd);
    this.#root = project.root;
    this.#session = openTrustSession({
      project,
      store: this.#store,
      copies: folders.staged,
      isTerminal: mayBeAsked(locations.env),
      vars: varsOf(locations),
      ...(trust.hashes && { hashes: trust.hashes }),
      ...(trust.folders && { folders: trust.folders }),
    });
    this.#granted = announcing(this.#session.grant, folders);
  }

  get problems(): readonly Problem[] {
    return [
      ...this.#problems,
      ...(this.#unexamined === 0 ? [] : [outOfTime(this.#unexamined, this.#locations.cwd)]),
      ...this.#store.problems,
    ];
  }

  grant(entry: TrustEntry): AddResult {
    const added = this.#granted(entry);
    this.#trustedSettings = undefined;
    // The new entry replaces its earlier version.
    if (added.kind !== 'failed')
      settleTrustedGuards(trustedGuardsFile(this.#folders.trustedGuards, this.#root), this.#root, {
        identity: identityOf(this.#session.judge(entry).trustedFiles),
        but: new Set(
          this.examined.flatMap(({ judgement: { state, hash } }) => (state === 'trusted' ? [hash] : [])),
        ),
      });
    return added;
  }

  knows(settingsFile: string): boolean {
    this.#trustedSettings ??= new Set(this.#store.list().map(({ settings }) => settings));
    return this.#trustedSettings.has(settingsFile);
  }

  hook(hook: Hook): Hook {
    if (hook.run.kind === 'missing') return this.knows(hook.origin.file) ? hook : neverTrusted(hook);
    const entry = entryOf(hook, this.#locations.cwd);
    const judgement = this.#judge(entry, hook.origin, hook);
    if (judgement.state !== 'trusted')
      return { ...hook, label: label(hook), run: { kind: 'missing', why: waits(judgement) } };
    if (entry.named.kind !== 'command') return hook;
    const staged = this.#session.stage(entry);
    if (staged.kind === 'unstaged')
      return { ...hook, run: { kind: 'missing', why: { kind: 'not-started', detail: staged.why } } };
    const { trustedFiles } = judgement;
    if (trustedFiles.inPlace.length > 0)
      this.#inPlace.set(placeOf(hook), [...(this.#inPlace.get(placeOf(hook)) ?? []), trustedFiles]);
    return stagedHook(hook, staged, trustedFiles.project.root);
  }

  changed(hook: Hook): readonly string[] {
    return (this.#inPlace.get(placeOf(hook)) ?? []).flatMap(changedInPlace);
  }

  module(
    ...[file, asker, dialect = 'anyhook', options]: Parameters<Gate['module']>
  ): ReturnType<Gate['module']> {
    if (performance.now() > this.#limits.until) return this.#uncheckedModule(asker.file);
    const entry = moduleEntry(file, { file: asker.file, dialect, options });
    const judgement = this.#judge(entry, { file, line: 1 });
    if (judgement.state !== 'trusted') return waits(judgement);
    const staged = this.#session.stage(entry);
    return staged.kind === 'staged'
      ? { file: staged.file ?? file }
      : { kind: 'not-started', detail: staged.why };
  }

  /** Content that was never trusted does not run in any case. Content that may have been trusted must not be skipped. */
  #uncheckedModule(settingsFile: string): HookFailure {
    this.#unexamined++;
    const detail = 'the time limit for this event was reached before it could be checked';
    return this.knows(settingsFile) || (this.#trust.hashes ?? []).length > 0
      ? { kind: 'no-time', detail }
      : { kind: 'not-trusted', detail };
  }

  #judge(entry: TrustEntry, { file, line }: Position, hook?: Hook): TrustJudgement {
    const found = this.#session.judge(entry);
    const isListed = this.#limits.listed?.has(found.hash) ?? true;
    const judgement: TrustJudgement = isListed ? found : { ...found, state: 'unknown', mayAsk: false };
    this.examined.push({ file, line, entry, judgement, ...(hook && { hook }) });
    if (!isListed) this.#problems.push(unlisted(found, { file, line }));
    else if (judgement.state !== 'trusted') this.#problems.push(waiting(judgement, { file, line }));
    return judgement;
  }
}

interface Position {
  readonly file: string;
  readonly line: number;
}

/** A broken entry has no bytes to trust. It may only block if something in its file was trusted before. */
const neverTrusted = (hook: Hook): Hook => ({
  ...hook,
  run: {
    kind: 'missing',
    why: { kind: 'not-trusted', detail: 'broken, and nothing in its file was ever trusted' },
  },
});

const unlisted = ({ hash }: TrustJudgement, { file, line }: Position): Problem => ({
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

function waiting({ state, hash, trustedFiles }: TrustJudgement, { file, line }: Position): Problem {
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
