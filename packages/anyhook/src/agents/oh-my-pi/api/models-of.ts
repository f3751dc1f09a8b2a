/** `ctx.model` and `ctx.modelRegistry`, from what the host says about its models. */
import type { Services } from '../../../events/services.ts';

export interface Models {
  readonly model: () => unknown;
  readonly modelRegistry?: {
    getAll(): readonly unknown[];
    getAvailable(): readonly unknown[];
    find(provider: string, id: string): unknown;
  };
}

export function modelsOf(services: Services): Models {
  // Read when asked: services of a host may come later than the module.
  const known = (): readonly unknown[] => {
    const { model } = services;
    return model?.all?.() ?? [model?.current() ?? []].flat();
  };
  return {
    model: () => services.model?.current() ?? undefined, // between processes nothing is null
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
