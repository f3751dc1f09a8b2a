import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { fileTrouble } from './file-trouble.ts';
import { failed, type ToolResult, type ToolScene } from './tool.ts';

/** Writes the file, tells the hooks, and shows the difference. `before`: its text, if it was there. */
export async function storeText(
  file: string,
  {
    before,
    after,
    said,
  }: { readonly before: string | undefined; readonly after: string; readonly said: string },
  scene: ToolScene,
): Promise<ToolResult> {
  const name = relative(scene.cwd, file) || file;
  scene.signal.throwIfAborted();
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, after);
  } catch (error) {
    return failed(fileTrouble('written', file, error));
  }
  await scene.edited(file, before === undefined ? 'create' : 'edit');
  const diff = createTwoFilesPatch(name, name, before ?? '', after, undefined, undefined, {
    context: 3,
    timeout: 1000,
  });
  return {
    output: said,
    title: name,
    metadata: { file, ...(diff !== undefined && { diff }) },
  };
}
