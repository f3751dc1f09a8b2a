/** The dialects whose hooks are code, and who brings their modules to life. Loaded when one of them has a module. */
import type { Bring } from './guest.ts';

const BRINGS: Readonly<Record<string, () => Promise<{ readonly bring: Bring }>>> = {
  'claude-agent-sdk': () => import('../../surfaces/claude-agent-sdk/bring.ts'),
  'oh-my-pi': () => import('../../surfaces/oh-my-pi/bring.ts'),
  opencode: () => import('../../surfaces/opencode/bring.ts'),
};

/** None: modules of that dialect cannot be run here. */
export async function bringOf(dialect: string): Promise<Bring | undefined> {
  return Object.hasOwn(BRINGS, dialect) ? (await BRINGS[dialect]!()).bring : undefined;
}
