/**
 * Finds hooks in a package: those in its manifest under `anyhook.hooks`, otherwise those in `hooks`, otherwise those at
 * the top level.
 */

import { isFields } from '../../../events/fields.ts';
import type { KnownPack, PackLook, PackTerms } from '../../../events/pack.ts';
import { MODULE_ENDINGS } from './places.ts';

const MODULE = new RegExp(`(?:${MODULE_ENDINGS.map((one) => one.replace('.', '\\.')).join('|')})$`);
export const isModule = (path: string): boolean =>
  MODULE.test(path) && !/\.(?:test|spec|cases|d|config)\.\w+$/.test(path);

function known({ files, manifest, holdsOwnHooks }: PackLook): KnownPack | undefined {
  const named = isFields(manifest['anyhook']) ? manifest['anyhook']['hooks'] : undefined;
  const all = files.filter(isModule);
  const inHooks = all.filter((path) => /^hooks\/[^/]+$/.test(path));
  const lying = inHooks.length > 0 ? inHooks : all.filter((path) => !path.includes('/'));
  const modules = Array.isArray(named)
    ? named.map((path) => String(path).replace(/^\.\//, ''))
    : lying.filter(holdsOwnHooks);
  return modules.length === 0 ? undefined : { entries: modules, modules };
}

export const packs: PackTerms = { known };
