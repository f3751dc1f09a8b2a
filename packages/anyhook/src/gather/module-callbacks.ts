/** Reads callbacks for the Claude Agent SDK that a module of ours exports, and turns them into hooks. */

import { readFileSync } from 'node:fs';
import type { Dialect } from '../events/dialect.ts';
import type { Hook } from '../events/hook.ts';
import type { Problem } from '../events/problems.ts';
import type { LoaderTerms, ModuleLoaders } from '../modules/loader.ts';
import type { OpenedForeign } from '../runners/isolated/open-foreign.ts';
import type { OtherExport } from '../runners/module/definitions-in.ts';
import type { FoundModule } from '../settings/module-files.ts';
import type { OnStrayError } from './load-foreign.ts';

interface One {
  readonly hooks: readonly Hook[];
  readonly problems: readonly Problem[];
}

/** A cheap check, so that the SDK is not loaded for modules that cannot contain callbacks. */
export const mayHoldCallbacks = ({ is }: OtherExport): boolean => is === 'object';

export async function callbacksIn(
  exports: unknown,
  { file, layer }: FoundModule,
  from: string,
): Promise<One> {
  const { hooksInExports: hooksIn } = await import('./exported-callbacks.ts');
  return hooksIn(exports, { layer, shown: file, source: readFileSync(from, 'utf8') });
}

interface IsolateTerms extends LoaderTerms {
  readonly sdk: Dialect;
  readonly loaders: ModuleLoaders;
  readonly onStray: OnStrayError;
}

/** Uses a second process next to the one for our own hooks, because the two use different protocols. */
export async function isolateCallbacks(
  { file, layer, asker, line }: FoundModule,
  from: string,
  { sdk, loaders, onStray, ...terms }: IsolateTerms,
): Promise<One & { readonly key: string; readonly opened?: OpenedForeign }> {
  const key = `${file}#${sdk.name}`;
  const loader = loaders[sdk.name];
  if (loader === undefined) return { hooks: [], problems: [], key };
  const { isolateModule } = await import('../modules/isolate.ts');
  const { rematched } = await import('../agents/claude-agent-sdk/dialect/definition.ts');
  const module = { file: from, shown: file, layer, asker: { file: asker, line } };
  const { hooks, problems, opened } = await isolateModule(module, {
    ...terms,
    dialect: sdk,
    loader: loader.url,
    key,
    onStray: (text, hook) => onStray({ file, text, ...(hook && { hook: hook.id }) }),
  });
  if (hooks.length > 0) return { hooks: hooks.map(rematched), problems, key, ...(opened && { opened }) };
  opened?.close();
  return { hooks, problems, key };
}

/** Drops the problem "defines no hook" if the module exports callbacks. */
export const withCallbacks = (own: One, theirs: One): One =>
  theirs.hooks.length === 0 && theirs.problems.length === 0
    ? own
    : {
        hooks: [...own.hooks, ...theirs.hooks],
        problems: [...own.problems.filter(({ code }) => code !== 'not-loaded'), ...theirs.problems],
      };
