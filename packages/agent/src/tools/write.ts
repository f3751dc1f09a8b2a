import { z } from 'zod';
import { readText } from './read-text.ts';
import { resolvePath } from './resolve-path.ts';
import { storeText } from './store-text.ts';
import { defineTool, failed } from './tool.ts';

export const write = defineTool({
  name: 'write',
  description:
    'Writes a whole file, over what was there; folders that lack are made. To change a part, use edit.',
  schema: z.object({ path: z.string().min(1), content: z.string() }),
  async execute({ path, content }, scene) {
    const file = resolvePath(scene.cwd, path);
    const found = await readText(file, scene.signal);
    // Nothing that cannot be shown as a difference is written over: a folder, a device, a picture.
    if (found.kind === 'trouble') return failed(found.why);
    const before = found.kind === 'text' ? found.text : undefined;
    const said = `${before === undefined ? 'Created' : 'Wrote'} ${file} (${Buffer.byteLength(content)} bytes).`;
    return storeText(file, { before, after: content, said }, scene);
  },
});
