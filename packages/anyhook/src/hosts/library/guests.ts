/** Modules of dialects whose hooks are code: found, trusted, brought to life, joined. */
import type { Dialect, FoundGuest, Ground } from '../../canon/dialect.ts';
import type { Limit, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import type { Offers } from '../../canon/offers.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { LOAD_DEADLINE_MS } from '../../runners/module/load-module.mjs';
import type { Gate } from './gate.ts';
import type { Brought, GuestModule, GuestTerms } from './guest.ts';
import { bringOf } from './guest-bring.ts';
import { joinOffers } from './guest-offers-joined.ts';
import type { Isolate } from './options.ts';

export interface Guest extends FoundGuest {
  readonly dialect: Dialect;
}
export interface GuestsTerms {
  readonly gate: Gate | undefined;
  readonly services: Services;
  readonly ground: Ground;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isolate: Isolate;
}
export interface BroughtGuests {
  readonly hooks: readonly Hook[];
  readonly offers: Offers;
  readonly problems: readonly Problem[];
  /** The hook of that process at that place; none: no such process. */
  run(key: string, index: number, args: readonly unknown[], limit: Limit): Promise<Reply> | undefined;
  close(): Promise<void>;
}
type Living = Brought & { readonly dialect: Dialect; readonly close?: () => void };
type Run = (index: number, args: readonly unknown[], limit: Limit) => Promise<Reply>;

/** For loading a module and for starting it, each. */
const DEADLINE_MS = LOAD_DEADLINE_MS;

/** One after another, in the order found: what one module does while it loads is there for the next. */
export async function bringGuests(guests: readonly Guest[], terms: GuestsTerms): Promise<BroughtGuests> {
  const runs = new Map<string, Run>();
  const living: Living[] = [];
  for (const guest of guests) {
    const one = await bringOne(guest, terms, runs);
    if (one !== undefined) living.push({ ...one, dialect: guest.dialect });
  }
  const joined = joinOffers(living);
  return {
    hooks: living.flatMap(({ hooks }) => hooks),
    offers: joined.offers,
    problems: [...living.flatMap(({ problems }) => problems), ...joined.problems],
    run: (key, index, args, limit) => runs.get(key)?.(index, args, limit),
    async close() {
      await Promise.all(living.map(async (one) => await one.dispose?.().catch(() => {})));
      for (const one of living) one.close?.();
    },
  };
}

async function bringOne(
  guest: Guest,
  terms: GuestsTerms,
  runs: Map<string, Run>,
): Promise<(Brought & { close?: () => void }) | undefined> {
  const { dialect, file, layer, asker } = guest;
  const trusted =
    layer === 'project' ? terms.gate?.module(file, asker, dialect.name, guest.options) : { file };
  if (trusted === undefined || 'kind' in trusted) return undefined; // the gate has said it
  const module: GuestModule = {
    file: trusted.file,
    shown: file,
    layer,
    asker,
    ...(guest.options !== undefined && { options: guest.options }),
  };
  const { ground, services, env } = terms;
  const given: GuestTerms = { cwd: ground.cwd, home: ground.home, env, services, deadlineMs: DEADLINE_MS };
  if (!isApart(layer, terms.isolate)) return await (await bringOf(dialect.name))?.(module, given);
  const { isolateGuest } = await import('./guest-isolate.ts');
  const key = `${file}#${dialect.name}`;
  const isolated = await isolateGuest(dialect, module, given, key);
  if (isolated.opened !== undefined) runs.set(key, isolated.opened.run);
  return isolated;
}

export const isApart = (layer: string, isolate: Isolate): boolean =>
  isolate === 'all' || (isolate === 'project' && layer === 'project');
