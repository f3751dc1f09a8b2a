/** The hooks of a project as the commands look at them: nothing of it runs, nothing is recorded. */
import { EVERYTHING } from '../../canon/capabilities.ts';
import { createHooks } from '../library/create-hooks.ts';
import type { Hooks } from '../library/hooks.ts';

export const survey = (cwd: string | undefined, hashes: readonly string[] = []): Promise<Hooks> =>
  createHooks({
    host: { name: 'anyhook', can: EVERYTHING, mode: 'one-shot' },
    journal: false,
    trust: { hashes },
    ...(cwd !== undefined && { cwd }),
  });
