import { readFile, stat } from 'node:fs/promises';
import { fileTrouble } from './file-trouble.ts';

const LARGEST_BYTES = 20 * 1024 * 1024;

export type ReadText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' | 'trouble'; readonly why: string };

/** Reads a text file or returns why it cannot. Skips pipes and devices, which might never end. */
export async function readText(path: string, signal?: AbortSignal): Promise<ReadText> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return trouble(`${path} is a folder: use glob or shell to list it.`);
    if (!found.isFile()) return trouble(`${path} is not a regular file.`);
    if (found.size > LARGEST_BYTES)
      return trouble(`${path} has ${found.size} bytes, too many: use grep, or shell with head or sed.`);
    const bytes = await readFile(path, signal && { signal });
    if (bytes.subarray(0, 8192).includes(0)) return trouble(`${path} is binary (${found.size} bytes).`);
    return { kind: 'text', text: bytes.toString('utf8') };
  } catch (error) {
    signal?.throwIfAborted();
    const kind = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'trouble';
    return { kind, why: fileTrouble('read', path, error) };
  }
}

const trouble = (why: string): ReadText => ({ kind: 'trouble', why });
