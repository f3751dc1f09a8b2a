/**
 * Converts what plugins offer besides hooks to the host's format. If a name is used twice, the last plugin wins, as in
 * OpenCode.
 */

import { homedir } from 'node:os';
import type { Layer, Origin } from '../../../events/hook.ts';
import type { OfferedAuth, OfferedTool, Offers } from '../../../events/offers.ts';
import type { Problem } from '../../../events/problems.ts';
import { foldersOf } from '../../../gather/folders.ts';
import { describeThrown } from '../../../runners/module/thrown.mjs';
import { offeredAuth } from './auth/offered-auth.ts';
import type { Surroundings } from './plugin-input.ts';
import type { LivePlugin } from './start-plugin.ts';
import { lastOfEachName, offeredTools } from './tools/offered-tools.ts';

export interface OffersRead {
  readonly offers: Offers;
  readonly problems: readonly Problem[];
}
export interface OfferTerms extends Surroundings {
  readonly layer: Layer;
}

export function pluginOffers(plugins: readonly LivePlugin[], terms: OfferTerms): OffersRead {
  const { env, home = homedir(), directory } = terms;
  const folder = foldersOf({ home, cwd: directory, env }).texts;
  const problems: Problem[] = [];
  const tools: OfferedTool[] = [];
  const auth = new Map<string, OfferedAuth>();
  for (const plugin of plugins) {
    const origin: Origin = { layer: terms.layer, file: plugin.target.file, line: 1 };
    const offered = offeredTools(Object.fromEntries(plugin.tools), origin, { ...terms, folder });
    tools.push(...offered.tools);
    problems.push(...offered.problems, ...offerAuth(plugin, origin, auth));
  }
  const settled = lastOfEachName(tools);
  return {
    offers: { tools: settled.tools, commands: [], renderers: [], auth: [...auth.values()] },
    problems: [...problems, ...settled.problems],
  };
}

function offerAuth({ auth, target }: LivePlugin, origin: Origin, known: Map<string, OfferedAuth>): Problem[] {
  if (auth === undefined) return [];
  const about = { file: target.file, key: 'auth' };
  try {
    const offered = offeredAuth(auth, origin);
    const isSecond = known.delete(offered.provider);
    known.set(offered.provider, offered);
    const message = `replaces the login to ${JSON.stringify(offered.provider)} of an earlier plugin`;
    return isSecond ? [{ ...about, code: 'duplicate-key', message, severity: 'warning' }] : [];
  } catch (thrown) {
    return [{ ...about, code: 'bad-value', message: describeThrown(thrown).message, severity: 'error' }];
  }
}
