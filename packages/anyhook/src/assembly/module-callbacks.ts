/** What a module of ours exports for the Claude Agent SDK: its callbacks are hooks as well. */
import { readFileSync } from 'node:fs';
import type { Dialect } from '../canon/dialect.ts';
import type { Hook } from '../canon/hook.ts';
import type { Problem } from '../canon/problems.ts';
import type { OpenedProgram } from '../runners/isolated/open-program.ts';
import type { Stranger } from '../runners/module/definitions-in.ts';
import type { FoundModule } from '../settings/module-files.ts';
import type { GuestTerms } from './guests/guest.ts';

interface One {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
}

/** Told before its shape is: nothing of the SDK is loaded for a module that cannot hold any. */
export const mayHoldCallbacks = ({ is }: Stranger): boolean => is === 'object';

export async function callbacksIn(
  exports: unknown,
  { file, layer }: FoundModule,
  from: string,
): Promise<One> {
  const { hooksIn } = await import('../surfaces/claude-agent-sdk/exported.ts');
  return hooksIn(exports, { layer, shown: file, source: readFileSync(from, 'utf8') });
}

/** In a process beside that of our own hooks: one speaks our words, the other the SDK's. */
export async function isolateCallbacks(
  { file, layer, asker, line }: FoundModule,
  from: string,
  terms: GuestTerms,
  sdk: Dialect,
): Promise<One & { readonly key: string; readonly cell?: OpenedProgram }> {
  const { isolateGuest } = await import('./guests/isolate-guest.ts');
  const { rematched } = await import('../dialects/claude-agent-sdk/definition.ts');
  const key = `${file}#${sdk.name}`;
  const guest = { file: from, shown: file, layer, asker: { file: asker, line } };
  const { hooks, problems, opened } = await isolateGuest(sdk, guest, terms, key);
  if (hooks.length === 0) opened?.close();
  const cell = hooks.length === 0 ? undefined : opened;
  return { hooks: hooks.map(rematched), problems, key, ...(cell && { cell }) };
}

/** "It defines no hook" is true of our own only. */
export const withCallbacks = (own: One, theirs: One): One =>
  theirs.hooks.length === 0 && theirs.problems.length === 0
    ? own
    : {
        hooks: [...own.hooks, ...theirs.hooks],
        problems: [...own.problems.filter(({ code }) => code !== 'not-loaded'), ...theirs.problems],
      };
