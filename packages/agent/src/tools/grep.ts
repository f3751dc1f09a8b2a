import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { RE2JS } from 're2js';
import { z } from 'zod';
import { fileTrouble } from './file-trouble.ts';
import { foundFiles } from './found-files.ts';
import { readText } from './read-text.ts';
import { resolvePath } from './resolve-path.ts';
import { defineTool, failed } from './tool.ts';

const MOST = 200;
const WIDEST = 400;

export const grep = defineTool({
  name: 'grep',
  description:
    'Finds lines that match a regular expression (RE2: no look-around, no back-references); what .gitignore names is left out.',
  schema: z.object({
    pattern: z.string().min(1),
    path: z.string().optional().describe('File or folder to look in'),
    glob: z.string().optional().describe('Only files like this: "**/*.ts"'),
  }),
  async execute({ pattern, path = '.', glob }, { cwd, signal }) {
    const regex = compiled(pattern);
    if (typeof regex === 'string') return failed(regex);
    const place = resolvePath(cwd, path);
    const files = await filesAt(place, glob, signal);
    if (typeof files === 'string') return failed(files);
    const lines: string[] = [];
    let unread = 0;
    for (const file of files) {
      const found = await readText(file, signal);
      if (found.kind !== 'text') unread++;
      else lines.push(...matches(found.text, regex).map((line) => `${relative(cwd, file)}:${line}`));
      if (lines.length > MOST) break;
    }
    const notes = [
      ...(lines.length > MOST ? [`[more than ${MOST} matches; use a narrower pattern, path or glob]`] : []),
      ...(unread > 0 ? [`[${unread} binary or unreadable files were left out]`] : []),
    ];
    return {
      output: [...(lines.length === 0 ? ['No line matches.'] : lines.slice(0, MOST)), ...notes].join('\n'),
      title: pattern,
      metadata: { count: Math.min(lines.length, MOST) },
    };
  },
});

/** Linear in the length of the text, whatever the pattern: no pattern of a model can hang the agent. */
function compiled(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return `Invalid pattern: ${(error as Error).message}.`;
  }
}

function matches(text: string, regex: RE2JS): readonly string[] {
  return text.split('\n').flatMap((line, index) => {
    if (!regex.matcher(line).find()) return [];
    const shown = line.length <= WIDEST ? line : `${line.slice(0, WIDEST)}…`;
    return `${index + 1}:${shown.replace(/\r$/, '')}`;
  });
}

async function filesAt(
  place: string,
  glob: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[] | string> {
  try {
    const found = await stat(place);
    if (!found.isDirectory()) return [place];
  } catch (error) {
    return fileTrouble('read', place, error);
  }
  // As other agents' tools read it: a pattern without a folder means any folder.
  const pattern = glob === undefined ? '**/*' : glob.includes('/') ? glob : `**/${glob}`;
  return (await foundFiles(place, pattern, signal)).map((name) => join(place, name));
}
