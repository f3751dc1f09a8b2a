import { basename, extname } from 'node:path';
import type { AnyToolDefinition } from '../types/index.ts';

/**
 * Finds the tools of a file in `tool/` or `tools/`. The default export has the name of the file, others are named
 * `file_export`.
 */
export function toolsInModule(
  file: string,
  exported: Readonly<Record<string, unknown>>,
): Record<string, AnyToolDefinition> {
  const name = basename(file, extname(file));
  return Object.fromEntries(
    Object.entries(exported).flatMap(([key, value]) =>
      isDefinition(value) ? [[key === 'default' ? name : `${name}_${key}`, value]] : [],
    ),
  );
}

const isDefinition = (value: unknown): value is AnyToolDefinition =>
  typeof value === 'object' &&
  value !== null &&
  'args' in value &&
  'description' in value &&
  'execute' in value;
