/** A plugin: its usual file, and what its manifest names beside it or holds itself. */
import { isFields } from '../../canon/fields.ts';
import type { KnownPack, PackLook, PackTerms } from '../../canon/pack.ts';

const PLUGIN = '.claude-plugin/plugin.json';
const USUAL = 'hooks/hooks.json';

function known({ files, json }: PackLook): KnownPack | undefined {
  if (!files.includes(PLUGIN) && !files.includes(USUAL)) return undefined;
  const said = json(PLUGIN)?.['hooks'];
  const named = (Array.isArray(said) ? said : [said]).flatMap((one) =>
    typeof one === 'string' ? [one.replace(/^\.\//, '')] : isFields(one) ? [PLUGIN] : [],
  );
  const settings = [...new Set([USUAL, ...named])].filter((path) => files.includes(path));
  if (settings.length === 0) return undefined;
  return {
    entries: settings.map((path) => ({
      path: '.',
      dialect: 'claude-code',
      ...(path !== USUAL && { settings: path }),
    })),
    modules: settings,
  };
}

export const packs: PackTerms = { known };
