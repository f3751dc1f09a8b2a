/** A plugin that npm brings: it says so, or it is written against the plugin package. */
import {
  type KnownPack,
  keywordsOf,
  needsPackage,
  type PackLook,
  type PackTerms,
} from '../../../events/pack.ts';

function known({ manifest, start }: PackLook): KnownPack | undefined {
  const isSaid = keywordsOf(manifest).some((word) => /^opencode(?:-plugin)?$/.test(word));
  const isNamed = /(?:^|[/-])opencode(?:-|$)/.test(String(manifest['name'] ?? ''));
  if (!isSaid && !isNamed && !needsPackage(manifest, /^@opencode(?:-ai)?\/plugin$/)) return undefined;
  const module = start();
  if (module === undefined) return undefined;
  return { entries: [{ path: '.', dialect: 'opencode' }], modules: [module] };
}

export const packs: PackTerms = {
  known,
  claims: (text) =>
    /@opencode(?:-ai)?\/plugin|['"](?:tool\.execute|chat|command\.execute)\.\w+['"]/.test(text),
};
