import { existsSync } from 'node:fs';
import { z } from 'zod';
import { foundFiles } from './found-files.ts';
import { resolvePath } from './resolve-path.ts';
import { defineTool, failed } from './tool.ts';

const MOST = 500;

export const glob = defineTool({
  name: 'glob',
  description: 'Finds files by a pattern such as "src/**/*.ts"; what .gitignore names is left out.',
  schema: z.object({ pattern: z.string().min(1), path: z.string().optional().describe('Folder to look in') }),
  async execute({ pattern, path = '.' }, { cwd, signal }) {
    const folder = resolvePath(cwd, path);
    if (!existsSync(folder)) return failed(`There is no folder ${folder}.`);
    const files = await foundFiles(folder, pattern, signal);
    const more = files.length > MOST ? `\n[${files.length - MOST} more; use a narrower pattern]` : '';
    return {
      output: files.length === 0 ? 'No file matches.' : files.slice(0, MOST).join('\n') + more,
      title: pattern,
      metadata: { count: files.length },
    };
  },
});
