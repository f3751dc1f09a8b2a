import { z } from 'zod';
import { readText } from './read-text.ts';
import { editSchema, replaceText } from './replace-text.ts';
import { resolvePath } from './resolve-path.ts';
import { storeText } from './store-text.ts';
import { defineTool, failed } from './tool.ts';

export const multiEdit = defineTool({
  name: 'multi-edit',
  description:
    'Several exact replacements in one file, one after the other, each on what the last left. All or none are done.',
  schema: z.object({ path: z.string().min(1), edits: z.array(editSchema).min(1) }),
  async execute({ path, edits }, scene) {
    const file = resolvePath(scene.cwd, path);
    const found = await readText(file, scene.signal);
    if (found.kind !== 'text') return failed(found.why);
    let after = found.text;
    for (const [index, change] of edits.entries()) {
      const replaced = replaceText(after, change);
      if (replaced.kind === 'refused')
        return failed(`${file}: edit ${index + 1} of ${edits.length}: ${replaced.why} Nothing was changed.`);
      after = replaced.text;
    }
    return storeText(
      file,
      { before: found.text, after, said: `Edited ${file}: ${edits.length} edits.` },
      scene,
    );
  },
});
