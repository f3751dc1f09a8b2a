/** Loaders for modules of other agents, imported on demand. */
import { type ModuleLoader, type ModuleLoaders, loaderUrl } from '../modules/loader.ts';

export const LOADERS: ModuleLoaders = {
  'claude-agent-sdk': loader('claude-agent-sdk', () => import('../agents/claude-agent-sdk/api/loader.ts')),
  'oh-my-pi': loader('oh-my-pi', () => import('../agents/oh-my-pi/api/loader.ts')),
  opencode: loader('opencode', () => import('../agents/opencode/api/loader.ts')),
};

function loader(folder: string, load: ModuleLoader['import']): ModuleLoader {
  return {
    get url() {
      return loaderUrl(folder);
    },
    import: load,
  };
}
