import { relative } from 'node:path';
import { z } from 'zod';
import { readText } from './read-text.ts';
import { resolvePath } from './resolve-path.ts';
import { defineTool, failed } from './tool.ts';

const LINES = 2000;
const WIDEST = 2000;

export const read = defineTool({
  name: 'read',
  description: `Reads a text file, with line numbers. Up to ${LINES} lines; use offset and limit for more.`,
  schema: z.object({
    path: z.string().min(1),
    offset: z.int().min(1).optional().describe('First line, counted from 1'),
    limit: z.int().min(1).optional().describe('How many lines'),
  }),
  async execute({ path, offset = 1, limit = LINES }, { cwd, signal }) {
    const file = resolvePath(cwd, path);
    const found = await readText(file, signal);
    if (found.kind !== 'text') return failed(found.why);
    const lines = found.text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    const title = relative(cwd, file) || file;
    if (lines.length === 0) return { output: '(the file is empty)', title, metadata: { lines: 0 } };
    if (offset > lines.length)
      return failed(`${file} has ${lines.length} lines; offset ${offset} is past its end.`);
    const shown = lines.slice(offset - 1, offset - 1 + limit);
    const after = offset - 1 + shown.length;
    const more =
      after < lines.length ? `\n[${lines.length - after} more lines; go on with offset ${after + 1}]` : '';
    return {
      output: shown.map((line, index) => `${offset + index}\t${cut(line)}`).join('\n') + more,
      title,
      metadata: { lines: lines.length },
    };
  },
});

const cut = (line: string): string =>
  line.length <= WIDEST ? line : `${line.slice(0, WIDEST)} [… ${line.length - WIDEST} characters more]`;
