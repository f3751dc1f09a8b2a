/**
 * Joins the offers of all modules. If two share a name, the rule of the dialect selects one and a problem reports it.
 */

import type { Clash, Dialect } from '../events/dialect.ts';
import type { Origin } from '../events/hook.ts';
import type { Offers } from '../events/offers.ts';
import type { Problem } from '../events/problems.ts';

interface Offering {
  readonly dialect: Pick<Dialect, 'name' | 'moduleFinder'>;
  readonly offers: Offers;
}
type Kind = keyof Offers;
const NAMES: { readonly [K in Kind]: (one: Offers[K][number]) => string } = {
  tools: ({ name }) => name,
  commands: ({ name }) => name,
  renderers: ({ type }) => type,
  auth: ({ provider }) => provider,
};
const WORDS: Readonly<Record<Kind, string>> = {
  tools: 'the tool',
  commands: 'the command',
  renderers: 'the renderer of',
  auth: 'the login for',
};

export function joinOffers(offering: readonly Offering[]): { offers: Offers; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const joined = <K extends Kind>(kind: K) => joinKind(kind, offering, problems);
  const offers = {
    tools: joined('tools'),
    commands: joined('commands'),
    renderers: joined('renderers'),
    auth: joined('auth'),
  };
  return { offers, problems };
}

/** The rule of the dialect applies between its own modules. Between dialects the first module keeps the name. */
function joinKind<K extends Kind>(kind: K, offering: readonly Offering[], problems: Problem[]): Offers[K] {
  const kept = new Map<string, { one: Offers[K][number]; dialect: string }>();
  for (const { dialect, offers } of offering)
    for (const one of offers[kind] as readonly Offers[K][number][]) {
      const name = NAMES[kind](one);
      const known = kept.get(name);
      const rule: Clash =
        (known?.dialect === dialect.name ? dialect.moduleFinder?.clash?.[kind] : undefined) ?? 'first';
      if (known === undefined || rule === 'last') kept.set(name, { one, dialect: dialect.name });
      if (known === undefined) continue;
      const [loser, winner] = rule === 'last' ? [known.one, one] : [one, known.one];
      problems.push(passedOver(`${WORDS[kind]} ${JSON.stringify(name)}`, loser.origin, winner.origin));
    }
  return [...kept.values()].map(({ one }) => one) as unknown as Offers[K]; // of the same kind as the loop variable
}

const passedOver = (what: string, { file, line }: Origin, winner: Origin): Problem => ({
  code: 'duplicate-hook',
  file,
  line,
  message: `${what} is ignored: ${winner.file} also offers it.`,
  remedy: 'Rename one of them.',
  severity: 'warning',
});
