/** What modules bring besides hooks, as a person and as a program is shown it. */
import type { Origin } from '../events/hook.ts';
import type { Offers } from '../events/offers.ts';
import { brief } from '../render/safe.ts';
import { type Screen, shortPath } from '../render/screen.ts';

interface OfferRow {
  readonly kind: 'tool' | 'command' | 'renderer' | 'login';
  readonly name: string;
  readonly about?: string;
  readonly file: string;
}

/** In the order of the modules that bring them. */
export function offered({ tools, commands, renderers, auth }: Offers): OfferRow[] {
  const one = (kind: OfferRow['kind'], name: string, origin: Origin, about = ''): OfferRow => ({
    kind,
    name,
    file: origin.file,
    ...(about !== '' && { about }),
  });
  return [
    ...tools.map(({ name, origin, description }) => one('tool', name, origin, description)),
    ...commands.map(({ name, origin, description }) => one('command', `/${name}`, origin, description)),
    ...renderers.map(({ type, origin }) => one('renderer', type, origin)),
    ...auth.map(({ provider, origin, methods }) =>
      one('login', provider, origin, methods.map(({ label }) => label).join(', ')),
    ),
  ];
}

export const offeredLines = (offers: Offers, screen: Screen): string[] =>
  offered(offers).flatMap(({ kind, name, about, file }) => [
    `  ${brief(`${kind} ${name}${about === undefined ? '' : `: ${about}`}`, screen.width - 2)}`,
    `      ${screen.paint('dim', shortPath(file, screen))}`,
  ]);
