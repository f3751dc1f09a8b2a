import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { type FileChange, patchOf, type PlanChange } from './file-change.ts';
import { fileTrouble } from './file-trouble.ts';
import { type AgentTool, failed, type ToolResult, type ToolScene } from './tool.ts';

/** Plans the change again before writing, because the file may have changed since the preview. */
export const storing =
  <I>(plan: PlanChange<I>): AgentTool<I>['execute'] =>
  async (input, scene) => {
    const planned = await plan(input, scene);
    return planned.kind === 'change' ? await store(planned, scene) : failed(planned.why);
  };

/** Writes the file, notifies hooks, and returns the diff. */
async function store(change: FileChange, scene: ToolScene): Promise<ToolResult> {
  const { file, before, after, summary: said } = change;
  scene.signal.throwIfAborted();
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, after);
  } catch (error) {
    return failed(fileTrouble('written', file, error));
  }
  await scene.edited(file, before === undefined ? 'create' : 'edit');
  const diff = patchOf(change, scene.cwd);
  return {
    output: said,
    title: relative(scene.cwd, file) || file,
    metadata: { file, exists: before !== undefined, ...(diff !== undefined && { diff }) },
  };
}
