/** Loads one oh-my-pi module as hooks and offers, which the host joins with those of other agents. */

import type { Origin } from '../../../events/hook.ts';
import { NO_OFFERS, type Offers } from '../../../events/offers.ts';
import type { Problem } from '../../../events/problems.ts';
import type { Services } from '../../../events/services.ts';
import type { LoadModule, LoadedModule, ForeignModule, LoaderTerms } from '../../../modules/loader.ts';
import { missingModuleHook } from '../../../modules/missing-hook.ts';
import { engineHooks, sceneOf } from './engine-hooks.ts';
import { commandContext } from './hook-context.ts';
import { loadHooks } from './load.ts';
import type { CustomMessage, HookLoadError, LoadedHook } from './types/index.ts';

export const load: LoadModule = async (module, terms): Promise<LoadedModule> => {
  const { cwd, home, deadlineMs, services, handlerMs, kept } = terms;
  const { hooks, errors, warnings } = await loadHooks([module.file], cwd, {
    home,
    timeoutMs: deadlineMs,
    shown: module.shown,
    ...(kept !== undefined && { kept }),
  });
  const problems = [
    ...errors.map((error) => problemOf(error, module, 'error')),
    ...warnings.map((warning) => problemOf(warning, module, 'warning')),
  ];
  // The module may run from a copy; problems name the original file.
  const loaded = hooks.map((hook) => ({ ...hook, path: module.shown, resolvedPath: module.shown }));
  const lost = errors.map(({ error }) =>
    missingModuleHook('oh-my-pi', 'tool_call', module, { kind: 'not-loaded', detail: error }),
  );
  const given = {
    cwd,
    services,
    layer: module.layer,
    ...modelsOf(services),
    ...(handlerMs !== undefined && { timeoutMs: handlerMs }),
  };
  return {
    hooks: [...engineHooks(loaded, given), ...lost],
    offers: loaded[0] === undefined ? NO_OFFERS : await offersOf(loaded[0], module, terms),
    problems,
  };
};

async function offersOf(
  hook: LoadedHook,
  module: ForeignModule,
  { cwd, services }: LoaderTerms,
): Promise<Offers> {
  const origin: Origin = { layer: module.layer, file: module.shown, line: 1 };
  const scene = sceneOf({ cwd, services, ...modelsOf(services) });
  return {
    ...NO_OFFERS,
    tools: hook.tools.size === 0 ? [] : (await import('./offered-tools.ts')).toolsOfHook(hook, origin, scene),
    commands: [...hook.commands.values()].map(({ name, description, handler }) => ({
      name,
      ...(description !== undefined && { description }),
      origin,
      run: async (args) => void (await handler(args, commandContext(scene))),
    })),
    renderers: [...hook.messageRenderers].map(([type, render]) => ({
      type,
      origin,
      async render(message, { width, expanded }) {
        // A renderer is only called for messages of its type.
        const component = render(message as unknown as CustomMessage, { expanded }, scene.ui.theme);
        return component?.render(width);
      },
    })),
  };
}

function problemOf(
  { error, line, column }: HookLoadError,
  module: ForeignModule,
  severity: Problem['severity'],
): Problem {
  return {
    code: 'not-loaded',
    file: module.shown,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    message: `${error.replaceAll(module.file, module.shown).replace(/\.$/, '')}.`,
    severity,
  };
}

/** `ctx.model` and `ctx.modelRegistry`, from the host's models. */
interface Models {
  readonly model: () => unknown;
  readonly modelRegistry?: {
    getAll(): readonly unknown[];
    getAvailable(): readonly unknown[];
    find(provider: string, id: string): unknown;
  };
}

export function modelsOf(services: Services): Models {
  // Read on each call, because services may be added after the module has loaded.
  const known = (): readonly unknown[] => {
    const { model } = services;
    return model?.all?.() ?? [model?.current() ?? []].flat();
  };
  return {
    model: () => services.model?.current() ?? undefined, // null is not transferred between processes
    ...(services.model && {
      modelRegistry: {
        getAll: known,
        getAvailable: known,
        find: (provider, id) =>
          known().find((one) => {
            const { provider: by, id: named } = (one ?? {}) as { provider?: unknown; id?: unknown };
            return by === provider && named === id;
          }),
      },
    }),
  };
}
