/** A planned change of a file: shown to the user first, then written. */

import { relative } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { AgentTool, ToolScene } from './tool.ts';

export interface FileChange {
  readonly kind: 'change';
  readonly file: string;
  /** The previous text, if the file existed. */
  readonly before: string | undefined;
  readonly after: string;
  /** The result for the model. */
  readonly summary: string;
}
export type Impossible = { readonly kind: 'impossible'; readonly why: string };
export const impossible = (why: string): Impossible => ({ kind: 'impossible', why });

export type PlanChange<I> = (
  input: I,
  scene: Pick<ToolScene, 'cwd' | 'signal'>,
) => Promise<FileChange | Impossible>;

/** Returns undefined if nothing changes or the diff would take too long. */
export function patchOf({ file, before = '', after }: FileChange, cwd: string): string | undefined {
  if (before === after) return undefined;
  const name = relative(cwd, file) || file;
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3, timeout: 1000 });
}

/** An impossible change has no preview; the call reports the reason. */
export const previewOf =
  <I>(plan: PlanChange<I>): NonNullable<AgentTool<I>['preview']> =>
  async (input, scene) => {
    const planned = await plan(input, scene);
    return planned.kind === 'change' ? patchOf(planned, scene.cwd) : undefined;
  };
