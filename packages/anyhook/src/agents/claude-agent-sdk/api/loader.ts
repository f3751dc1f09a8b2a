/** Loads a module that exports SDK callbacks, in its own process. The host calls the hooks by index. */

import { readFileSync } from 'node:fs';
import type { Hook } from '../../../events/hook.ts';
import { NO_OFFERS } from '../../../events/offers.ts';
import { hooksInExports } from '../../../gather/exported-callbacks.ts';
import type { LoadModule } from '../../../modules/loader.ts';
import { missingModuleHook } from '../../../modules/missing-hook.ts';
import { loadModule } from '../../../runners/module/load-module.mjs';

export const load: LoadModule = async (module, { deadlineMs }) => {
  const { file, shown, layer } = module;
  const loaded = await loadModule(file, { deadlineMs });
  if (loaded.ok) {
    const found = hooksInExports(loaded.exports, { layer, shown, source: readFileSync(file, 'utf8') });
    return { ...found, hooks: found.hooks.map(unmatched), offers: NO_OFFERS };
  }
  return {
    hooks: [missingModuleHook('claude-agent-sdk', 'PreToolUse', module, loaded.breakage)],
    offers: NO_OFFERS,
    problems: [{ ...loaded.problem, file: shown }],
  };
};

/** Removes the matchers, which the host parses again: see `rematched`. */
function unmatched(hook: Hook): Hook {
  const { when: _, ...plain } = hook;
  return { ...plain, match: { kind: 'any' } };
}
