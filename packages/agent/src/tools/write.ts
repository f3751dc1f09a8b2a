import { z } from 'zod';
import { impossible, type PlanChange, previewOf } from './file-change.ts';
import { readText } from './read-text.ts';
import { resolvePath } from './resolve-path.ts';
import { storing } from './store-text.ts';
import { defineTool } from './tool.ts';

const schema = z.object({ path: z.string().min(1), content: z.string() });

const plan: PlanChange<z.infer<typeof schema>> = async ({ path, content }, { cwd, signal }) => {
  const file = resolvePath(cwd, path);
  const found = await readText(file, signal);
  // Does not overwrite what has no diff: a folder, a device or a binary file.
  if (found.kind === 'trouble') return impossible(found.why);
  const before = found.kind === 'text' ? found.text : undefined;
  const summary = `${before === undefined ? 'Created' : 'Wrote'} ${file} (${Buffer.byteLength(content)} bytes).`;
  return { kind: 'change', file, before, after: content, summary: summary };
};

export const write = defineTool({
  name: 'write',
  description:
    'Writes a whole file, over what was there; folders that lack are made. To change a part, use edit.',
  schema,
  preview: previewOf(plan),
  execute: storing(plan),
});
