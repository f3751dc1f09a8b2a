import type { Hook } from '../events/hook.ts';
import type { FoundModule } from '../settings/module-files.ts';

/** Hooks and modules that the host reads and runs itself. */
export interface LeftHooks {
  readonly hooks: readonly Hook[];
  readonly modules: readonly FoundModule[];
}
