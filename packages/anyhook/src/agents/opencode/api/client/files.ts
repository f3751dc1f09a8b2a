/** Read access to files of the project. Paths outside are refused, also through links. */

import { readdir, readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { compilePattern } from '../../../../events/pattern.ts';
import { ErrorAnswer, type Routes } from './route.ts';
import type { ClientTerms } from './terms.ts';

export const FILES: Routes = {
  async 'GET /file/content'({ query }, terms) {
    const bytes = await readFile(await inside(query.get('path') ?? '', terms));
    const isBinary = bytes.subarray(0, 8000).includes(0);
    if (isBinary) return { type: 'binary', encoding: 'base64', content: bytes.toString('base64') };
    return { type: 'text', content: bytes.toString('utf8') };
  },
  async 'GET /file'({ query }, terms) {
    const folder = await inside(query.get('path') ?? '.', terms);
    const found = await readdir(folder, { withFileTypes: true });
    return found.map((entry) => {
      const absolute = join(folder, entry.name);
      const type = entry.isDirectory() ? 'directory' : 'file';
      return { name: entry.name, path: relative(terms.directory, absolute), absolute, type, ignored: false };
    });
  },
  async 'GET /find/file'({ query }, terms) {
    const wanted = (query.get('query') ?? '').toLowerCase();
    const found: string[] = [];
    for await (const file of filesIn(terms.directory)) {
      if (isLike(file.toLowerCase(), wanted)) found.push(file);
      if (found.length >= Number(query.get('limit') ?? 100)) break;
    }
    return found;
  },
  async 'GET /find'({ query, signal }, terms) {
    const { test } = patternOf(query.get('pattern') ?? '');
    const found: unknown[] = [];
    for await (const file of filesIn(terms.directory)) {
      signal.throwIfAborted();
      let offset = 0;
      for (const [index, line] of (await searchableText(join(terms.directory, file))).split('\n').entries()) {
        if (test(line))
          found.push({
            path: { text: file },
            lines: { text: `${line}\n` },
            line_number: index + 1,
            absolute_offset: offset,
            submatches: [],
          });
        offset += Buffer.byteLength(line) + 1;
        if (found.length >= MOST_FOUND) return found;
      }
    }
    return found;
  },
};

const MOST_FOUND = 200;
const LARGEST = 1024 * 1024;
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

async function inside(path: string, { directory, worktree }: ClientTerms): Promise<string> {
  const real = await realpath(resolve(directory, path)).catch(() => {
    throw new ErrorAnswer(404, 'NotFoundError', `${path} does not exist`);
  });
  for (const root of [directory, worktree]) {
    const way = relative(await realpath(root), real);
    if (way === '' || (!way.startsWith('..') && !isAbsolute(way))) return real;
  }
  throw new ErrorAnswer(403, 'AccessDenied', `${path} is outside the project`);
}

/** Relative paths; links are not followed. */
async function* filesIn(root: string, below = ''): AsyncGenerator<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(below, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* filesIn(root, path);
    else if (entry.isFile()) yield path;
  }
}

/** Whether the path contains all letters in order. */
function isLike(path: string, wanted: string): boolean {
  let at = 0;
  for (const letter of wanted) {
    at = path.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

async function searchableText(file: string): Promise<string> {
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  return bytes.length > LARGEST || bytes.subarray(0, 8000).includes(0) ? '' : bytes.toString('utf8');
}

function patternOf(source: string) {
  try {
    return compilePattern(source);
  } catch (error) {
    throw new ErrorAnswer(
      400,
      'BadRequest',
      `the pattern ${JSON.stringify(source)}: ${(error as Error).message}`,
    );
  }
}
