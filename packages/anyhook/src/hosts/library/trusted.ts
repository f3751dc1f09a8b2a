/** Nothing from a project acts before the person trusts it; what then runs is the bytes that were judged. */
import type { Ground } from '../../canon/dialect.ts';
import type { Breakage } from '../../canon/exchange.ts';
import { type Hook, label } from '../../canon/hook.ts';
import type { Problem } from '../../canon/problems.ts';
import { type Entry, entryOf, moduleEntry } from '../../settings/trust/entry.ts';
import type { Judgement } from '../../settings/trust/gate.ts';
import { openProject } from '../../settings/trust/project.ts';
import { openTrustSession, type TrustSession } from '../../settings/trust/session.ts';
import { openTrustStore } from '../../settings/trust/store.ts';
import type { Folders } from './folders.ts';
import type { TrustOptions } from './options.ts';

/** One thing of a project that was looked at: for `list` and `trust`. */
export interface Examined {
  readonly hook?: Hook;
  readonly file: string;
  readonly line: number;
  readonly entry: Entry;
  readonly judgement: Judgement;
}
export interface Gate {
  /** The hook with the trusted bytes in its place, or a hook that waits for trust. */
  hook(hook: Hook): Hook;
  /** The trusted copy of a module, or why there is none. */
  module(
    file: string,
    asker: { readonly file: string; readonly line: number },
  ): { readonly file: string } | Breakage;
  readonly examined: readonly Examined[];
  /** The person said yes to what was shown. */
  readonly grant: TrustSession['grant'];
  readonly problems: readonly Problem[];
}

export function openGate(ground: Ground, folders: Folders, trust: TrustOptions): Gate {
  const store = openTrustStore(folders.trust);
  const session = openTrustSession({
    project: openProject(ground.cwd),
    store,
    copies: folders.staged,
    isTerminal: Boolean(process.stdin.isTTY),
    ...(trust.hashes && { hashes: trust.hashes }),
  });
  const examined: Examined[] = [];
  const problems: Problem[] = [];
  const judge = (entry: Entry, origin: { file: string; line: number }, hook?: Hook) => {
    const judgement = session.judge(entry);
    const { file, line } = origin;
    examined.push({ file, line, entry, judgement, ...(hook && { hook }) });
    if (judgement.state !== 'trusted') problems.push(waiting(judgement, origin));
    return judgement;
  };
  return {
    examined,
    grant: session.grant,
    get problems() {
      return [...problems, ...store.problems];
    },
    hook(hook) {
      if (hook.run.kind === 'missing') return hook;
      const entry = entryOf(hook, ground.cwd);
      const judgement = judge(entry, hook.origin, hook);
      if (judgement.state !== 'trusted') return { ...hook, run: { kind: 'missing', why: waits(judgement) } };
      if (hook.run.kind !== 'command') return hook;
      const staged = session.stage(entry);
      if (staged.kind === 'unstaged')
        return { ...hook, run: { kind: 'missing', why: { kind: 'not-started', detail: staged.why } } };
      return { ...hook, label: label(hook), run: { ...hook.run, run: staged.run ?? hook.run.run } };
    },
    module(file, asker) {
      const entry = moduleEntry(file, { file: asker.file, dialect: 'anyhook' });
      const judgement = judge(entry, { file, line: 1 });
      if (judgement.state !== 'trusted') return waits(judgement);
      const staged = session.stage(entry);
      return staged.kind === 'staged'
        ? { file: staged.file ?? file }
        : { kind: 'not-started', detail: staged.why };
    },
  };
}

const waits = ({ state, hash }: Judgement): Breakage => ({
  kind: 'not-trusted',
  detail: `${state} (${hash})`,
});

function waiting({ state, hash, cover }: Judgement, { file, line }: { file: string; line: number }): Problem {
  const why = {
    modified: 'has changed since it was trusted; it does not run.',
    unknown: 'comes from the project and was never trusted; it does not run.',
    untrustable: `cannot be trusted: ${cover.obstacles.join('; ')}.`,
    trusted: '',
  }[state];
  const remedy = state === 'untrustable' ? 'Mend that first.' : `Look at it, then: anyhook trust add ${hash}`;
  return { code: 'not-trusted', file, line, message: why, remedy, severity: 'warning' };
}
