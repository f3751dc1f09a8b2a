/** A tool's output beyond what a model should read at once: its beginning goes on, the whole of it lies in a file. */
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cutText } from '../../../../events/cut.ts';

export const MOST_LINES = 2000;
export const MOST_BYTES = 50 * 1024;

export type ShortenedOutput =
  | { readonly output: string; readonly truncated: false }
  | { readonly output: string; readonly truncated: true; readonly outputPath?: string };

export async function shortenOutput(text: string, folder: string): Promise<ShortenedOutput> {
  const lines = text.split('\n');
  const bytes = Buffer.byteLength(text);
  if (lines.length <= MOST_LINES && bytes <= MOST_BYTES) return { output: text, truncated: false };
  const head = cutText(lines.slice(0, MOST_LINES).join('\n'), MOST_BYTES);
  const left = `${bytes - Buffer.byteLength(head)} of ${bytes} bytes (${lines.length} lines in all) left out`;
  const kept = await keep(text, folder);
  const where =
    'file' in kept ? `the whole output is in ${kept.file}: search it or read parts of it` : kept.why;
  return {
    output: `${head}\n\n… ${left}; ${where}`,
    truncated: true,
    ...('file' in kept && { outputPath: kept.file }),
  };
}

/** By its content: the same output twice is one file. Only its owner reads it. */
async function keep(text: string, folder: string): Promise<{ file: string } | { why: string }> {
  const file = join(folder, `tool-${createHash('sha256').update(text).digest('hex').slice(0, 32)}.txt`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    return { file };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'EEXIST' ? { file } : { why: `it could not be kept: ${message}` };
  }
}
