import { z } from 'zod';
import { readText } from './read-text.ts';
import { editSchema, replaceText } from './replace-text.ts';
import { resolvePath } from './resolve-path.ts';
import { storeText } from './store-text.ts';
import { defineTool, failed } from './tool.ts';

export const edit = defineTool({
  name: 'edit',
  description: 'Replaces an exact piece of text in a file. It must occur once, unless all is set.',
  schema: z.object({ path: z.string().min(1), ...editSchema.shape }),
  async execute({ path, ...change }, scene) {
    const file = resolvePath(scene.cwd, path);
    const found = await readText(file, scene.signal);
    if (found.kind !== 'text') return failed(found.why);
    const replaced = replaceText(found.text, change);
    if (replaced.kind === 'refused') return failed(`${file}: ${replaced.why}`);
    const said = `Edited ${file}: ${replaced.count} replaced.`;
    return storeText(file, { before: found.text, after: replaced.text, said }, scene);
  },
});
