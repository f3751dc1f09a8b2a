import { z } from 'zod';
import { impossible, type PlanChange, previewOf } from './file-change.ts';
import { readText } from './read-text.ts';
import { editSchema, replaceText } from './replace-text.ts';
import { resolvePath } from './resolve-path.ts';
import { storing } from './store-text.ts';
import { defineTool } from './tool.ts';

const schema = z.object({ path: z.string().min(1), ...editSchema.shape });

const plan: PlanChange<z.infer<typeof schema>> = async ({ path, ...change }, { cwd, signal }) => {
  const file = resolvePath(cwd, path);
  const found = await readText(file, signal);
  if (found.kind !== 'text') return impossible(found.why);
  const replaced = replaceText(found.text, change);
  if (replaced.kind === 'refused') return impossible(`${file}: ${replaced.why}`);
  const said = `Edited ${file}: ${replaced.count} replaced.`;
  return { kind: 'change', file, before: found.text, after: replaced.text, said };
};

export const edit = defineTool({
  name: 'edit',
  description: 'Replaces an exact piece of text in a file. It must occur once, unless all is set.',
  schema,
  preview: previewOf(plan),
  execute: storing(plan),
});
