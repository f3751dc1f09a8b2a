/** A file in `tool/` or `tools/`: no plugin, but tools as it exports them. Never rejects. */
import type { Problem } from '../../../events/problems.ts';
import { loadModule } from '../../../runners/module/load-module.mjs';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { pluginHooksIn } from './hooks-in.ts';
import type { PluginTarget } from './resolve-plugin.ts';
import { faultsOf, loadOptions, type StartedPlugins, type StartTerms } from './start-plugin.ts';
import { toolsInModule } from './tools/definitions-in.ts';

export async function startTools(target: PluginTarget, terms: StartTerms): Promise<StartedPlugins> {
  const loaded = await loadModule(target.file, loadOptions(target.file, terms));
  if (!loaded.ok) return { plugins: [], problems: [loaded.problem] };
  const read = toolsOf(target, loaded.exports);
  if (typeof read === 'string') return { plugins: [], problems: [problem(target, read)] };
  return { plugins: [read], problems: faultsOf(read) };
}

function toolsOf(target: PluginTarget, exports: unknown) {
  try {
    const tool = toolsInModule(target.spec, Object(exports) as Record<string, unknown>);
    if (Object.keys(tool).length === 0)
      return 'exports no tool: write export default tool({ description, args, execute })';
    return { ...pluginHooksIn({ tool })!, target, name: 'default' };
  } catch (error) {
    return `its exports cannot be read: ${describeThrown(error).message}`;
  }
}

const problem = ({ file }: PluginTarget, message: string): Problem => ({
  code: 'not-loaded',
  file,
  message,
  severity: 'error',
});
