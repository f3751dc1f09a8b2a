/**
 * Decides whether a module is an extension. Both kinds look the same at run time, but only in extensions changes of
 * `event.input` in place reach the tool. If in doubt, a module is a hook module, whose changes in place have no effect.
 */

import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

interface LoadedFile {
  /** The loaded file: for a project, the trusted copy. */
  readonly file: string;
  /** The original path. */
  readonly shown: string;
  /** It registered something that only extensions can: a tool, a flag, or an extension event. */
  readonly usesMore: boolean;
}

export function isExtension({ file, shown, usesMore }: LoadedFile): boolean {
  const imported = importedBy(file);
  if (imported === 'hook') return false; // its own declaration
  return imported === 'extension' || usesMore || isInFolder(shown) || isInManifest(shown);
}

const AGENT = String.raw`['"]@(?:oh-my-pi|mariozechner|earendil-works)/pi-coding-agent(/[\w./-]+)?['"]`;
const IMPORT = new RegExp(
  String.raw`^\s*import\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*${AGENT}`,
  'gm',
);
const INLINE = new RegExp(String.raw`\bimport\(\s*${AGENT}\s*\)\s*\.\s*(\w+)`, 'g');
/** Removes comments and templates, in which names mean nothing. Plain strings stay, because imports use them. */
const NOT_CODE = /\/\*[^]*?\*\/|\/\/[^\n]*|`(?:\\[^]|[^\\`])*`|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')/g;

/** Which of the agent's two APIs it uses, from its imports. */
function importedBy(file: string): 'hook' | 'extension' | undefined {
  const code = readOrEmpty(file).replace(NOT_CODE, (_, text?: string) => text ?? ' ');
  const names = [
    ...[...code.matchAll(IMPORT)].flatMap(([, list = '']) =>
      list.split(',').map(
        (one) =>
          one
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s/)[0] ?? '',
      ),
    ),
    ...[...code.matchAll(INLINE)].map(([, , name = '']) => name),
  ];
  if (names.some((name) => /^Extension(API|Factory|Context|CommandContext)$/.test(name))) return 'extension';
  return names.some((name) => /^Hook(API|Factory|Context|CommandContext)$/.test(name)) ? 'hook' : undefined;
}

/** `.omp/extensions/x.ts`, `.pi/agent/extensions/x/index.ts`. */
const isInFolder = (file: string): boolean =>
  /[\\/]\.(?:omp|pi)[\\/](?:agent[\\/])?extensions[\\/]/.test(file);

/** Whether a `package.json` lists the file, or a folder above it, under `omp.extensions` or `pi.extensions`. */
function isInManifest(file: string): boolean {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const text = readOrEmpty(resolve(folder, 'package.json'));
    if (text === '') continue;
    return listed(text).some((entry) => {
      const named = resolve(folder, entry);
      return named === file || (basename(file).startsWith('index.') && named === dirname(file));
    });
  }
  return false;
}

function listed(text: string): string[] {
  try {
    const { omp, pi } = JSON.parse(text) as Record<'omp' | 'pi', { extensions?: unknown } | undefined>;
    return [omp?.extensions, pi?.extensions]
      .flat()
      .filter((entry): entry is string => typeof entry === 'string');
  } catch {
    return [];
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
