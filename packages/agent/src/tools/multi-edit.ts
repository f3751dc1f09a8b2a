import { z } from 'zod';
import { impossible, type PlanChange, previewOf } from './file-change.ts';
import { readText } from './read-text.ts';
import { editSchema, replaceText } from './replace-text.ts';
import { resolvePath } from './resolve-path.ts';
import { storing } from './store-text.ts';
import { defineTool } from './tool.ts';

const schema = z.object({ path: z.string().min(1), edits: z.array(editSchema).min(1) });

const plan: PlanChange<z.infer<typeof schema>> = async ({ path, edits }, { cwd, signal }) => {
  const file = resolvePath(cwd, path);
  const found = await readText(file, signal);
  if (found.kind !== 'text') return impossible(found.why);
  let after = found.text;
  for (const [index, change] of edits.entries()) {
    const replaced = replaceText(after, change);
    if (replaced.kind === 'refused')
      return impossible(
        `${file}: edit ${index + 1} of ${edits.length}: ${replaced.why} Nothing was changed.`,
      );
    after = replaced.text;
  }
  return {
    kind: 'change',
    file,
    before: found.text,
    after,
    summary: `Edited ${file}: ${edits.length} edits.`,
  };
};

export const multiEdit = defineTool({
  name: 'multi-edit',
  description:
    'Several exact replacements in one file, one after the other, each on what the last left. All or none are done.',
  schema,
  preview: previewOf(plan),
  execute: storing(plan),
});
