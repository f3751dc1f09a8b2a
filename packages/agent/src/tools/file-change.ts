/** What a call would make of a file, before it is done: shown to the person, then stored. */
import { relative } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import type { AgentTool, ToolScene } from './tool.ts';

export interface FileChange {
  readonly kind: 'change';
  readonly file: string;
  /** Its text, if it was there. */
  readonly before: string | undefined;
  readonly after: string;
  /** For the model, when it is done. */
  readonly said: string;
}
export type Impossible = { readonly kind: 'impossible'; readonly why: string };
export const impossible = (why: string): Impossible => ({ kind: 'impossible', why });

export type PlanChange<I> = (
  input: I,
  scene: Pick<ToolScene, 'cwd' | 'signal'>,
) => Promise<FileChange | Impossible>;

/** None: it is the same, or it would take too long to find out. */
export function patchOf({ file, before = '', after }: FileChange, cwd: string): string | undefined {
  if (before === after) return undefined;
  const name = relative(cwd, file) || file;
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, { context: 3, timeout: 1000 });
}

/** What cannot be done has no difference: the call itself says why. */
export const previewOf =
  <I>(plan: PlanChange<I>): NonNullable<AgentTool<I>['preview']> =>
  async (input, scene) => {
    const planned = await plan(input, scene);
    return planned.kind === 'change' ? patchOf(planned, scene.cwd) : undefined;
  };
