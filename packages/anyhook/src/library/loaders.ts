/** Loaders for modules of agents whose hooks are code, imported on demand: `api/loader.ts` in the folder of each. */

import { DIALECTS } from '../dialects.ts';
import { type LoadModule, type ModuleLoader, type ModuleLoaders, loaderUrl } from '../modules/loader.ts';

export const LOADERS: ModuleLoaders = Object.fromEntries(
  DIALECTS.filter(({ hooksAreCode }) => hooksAreCode).map(({ name }) => [name, loaderOf(name)]),
);

function loaderOf(agent: string): ModuleLoader {
  return {
    get url() {
      return loaderUrl(agent);
    },
    import() {
      return import(loaderUrl(agent)) as Promise<{ readonly load: LoadModule }>; // what each of them exports
    },
  };
}
