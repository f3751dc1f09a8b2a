/** Parses one entry of the `plugin` list: a name and optional options. */

import { isPlain } from '../../../events/changes.ts';
import type { Problem } from '../../../events/problems.ts';
import type { PluginOptions } from './types/index.ts';

export type PluginSpec = string | readonly [spec: string, options?: PluginOptions];

export interface PluginRequest {
  readonly spec: string;
  readonly options?: PluginOptions;
}

export function readSpec(entry: unknown, key: string, file: string): PluginRequest | Problem {
  const [spec, options, ...more] = Array.isArray(entry) ? (entry as unknown[]) : [entry];
  const wrong = (message: string): Problem => ({
    code: 'wrong-type',
    file,
    key,
    message,
    remedy: 'Write a path, the name of a package, or a pair of one of these and its options.',
    severity: 'error',
  });
  if (typeof spec !== 'string') return wrong(`a plugin is named by a string, not by ${kindOf(spec)}`);
  if (spec.trim() === '') return wrong('a plugin has an empty name');
  if (more.length > 0) return wrong(`a pair has two parts, not ${2 + more.length}`);
  if (options === undefined) return { spec: spec.trim() };
  if (!isPlain(options)) return wrong(`the options of ${spec} are an object, not ${kindOf(options)}`);
  return { spec: spec.trim(), options };
}

export const isPathSpec = (spec: string): boolean =>
  spec.startsWith('.') ||
  spec.startsWith('/') ||
  spec === '~' ||
  spec.startsWith('~/') ||
  spec.startsWith('file:') ||
  /^[a-z]:[\\/]/i.test(spec);

const kindOf = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : `${/^[aou]/.test(typeof value) ? 'an' : 'a'} ${typeof value}`;
