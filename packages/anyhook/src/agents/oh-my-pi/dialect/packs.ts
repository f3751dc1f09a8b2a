/** A package of pi or oh-my-pi: it says so, or it is written against that agent's package. */
import { isFields } from '../../../events/fields.ts';
import {
  type KnownPack,
  keywordsOf,
  needsPackage,
  type PackLook,
  type PackTerms,
} from '../../../events/pack.ts';

const AGENT = /^@(?:mariozechner|earendil-works|oh-my-pi)\/pi-coding-agent$/;

function known({ manifest, extensions }: PackLook): KnownPack | undefined {
  const isSaid = isFields(manifest['pi']) || isFields(manifest['omp']);
  if (!isSaid && !keywordsOf(manifest).includes('pi-package') && !needsPackage(manifest, AGENT))
    return undefined;
  const modules = extensions();
  if (modules.length === 0) return undefined;
  return { entries: [{ path: '.', dialect: 'oh-my-pi' }], modules };
}

export const packs: PackTerms = {
  known,
  claims: (text) =>
    /\/pi-coding-agent['"]|\.on\(\s*['"](?:tool_call|tool_result|session_start)['"]/.test(text),
};
