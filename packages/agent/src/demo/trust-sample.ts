/** Nothing of a project runs before somebody trusts it; the demo does so by name, as a machine without a person would. */
import { createHooks, type Hooks } from 'anyhook';
import type { DemoFolders } from './folders.ts';

export interface TrustedHook {
  readonly hash: string;
  readonly file: string;
}

export async function trustSample({ home, cwd, env }: DemoFolders): Promise<readonly TrustedHook[]> {
  const hooks = await createHooks({
    host: { name: 'anyhook-demo', can: {} },
    home,
    cwd,
    env,
    journal: false,
  });
  const found = hooks.examined.map(({ judgement, file }: Hooks['examined'][number]) => ({
    hash: judgement.hash,
    file: file.slice(cwd.length + 1),
  }));
  await hooks.close();
  return found;
}
