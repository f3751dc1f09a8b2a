/** Modules of dialects whose hooks are code: found, trusted, brought to life, joined. */
import { statSync } from 'node:fs';
import type { Dialect, FoundGuest, Ground } from '../../canon/dialect.ts';
import type { Limit, Reply } from '../../canon/exchange.ts';
import type { Hook } from '../../canon/hook.ts';
import { NO_OFFERS, type Offers } from '../../canon/offers.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { LOAD_DEADLINE_MS } from '../../runners/module/load-module.mjs';
import type { Gate } from '../gate.ts';
import type { Brought, GuestModule, GuestTerms } from './guest.ts';
import { bringOf } from './bring-of.ts';
import { missingGuest } from './missing.ts';
import { joinOffers } from './join-offers.ts';
import type { Isolate } from '../options.ts';

export interface Guest extends FoundGuest {
  readonly dialect: Dialect;
}
export interface GuestsTerms {
  readonly gate: Gate | undefined;
  readonly services: Services;
  readonly ground: Ground;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isolate: Isolate;
  readonly loadMs?: number;
  readonly handlerMs?: number;
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
  found: Guest,
  terms: GuestsTerms,
  runs: Map<string, Run>,
): Promise<(Brought & { close?: () => void }) | undefined> {
  const guest = await startOf(found);
  if ('code' in guest) return lost(found, guest);
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
    ...(guest.as !== undefined && { as: guest.as }),
  };
  const { ground, services, env, loadMs = LOAD_DEADLINE_MS, handlerMs } = terms;
  const given: GuestTerms = {
    cwd: ground.cwd,
    home: ground.home,
    env,
    services,
    deadlineMs: loadMs,
    ...(handlerMs !== undefined && { handlerMs }),
  };
  if (!isApart(layer, terms.isolate)) return await (await bringOf(dialect.name))?.(module, given);
  const { isolateGuest } = await import('./isolate-guest.ts');
  const key = `${file}#${dialect.name}`;
  const isolated = await isolateGuest(dialect, module, given, key);
  if (isolated.opened !== undefined) runs.set(key, isolated.opened.run);
  return isolated;
}

/** Settings may name a package by its folder; what is judged, copied and loaded is the file where it starts. */
async function startOf(guest: Guest): Promise<Guest | Problem> {
  const { file, line } = guest.asker;
  const found = statSync(guest.file, { throwIfNoEntry: false });
  if (found === undefined && file !== guest.file)
    return {
      code: 'file-unreadable',
      file,
      line,
      message: `names ${guest.file}, which does not exist.`,
      remedy: 'Check the path.',
      severity: 'error',
    };
  if (found?.isDirectory() !== true) return guest;
  const { packageEntry } = await import('../../surfaces/opencode/package-entry.ts');
  const entry = packageEntry(guest.file);
  if (!('fault' in entry)) return { ...guest, file: entry.file, as: 'package' };
  return { code: 'not-loaded', file, line, message: entry.fault, severity: 'error' };
}

/** It may have held a guard: it fails by its dialect's rule. */
function lost({ dialect, file, layer, asker }: Guest, problem: Problem): Brought {
  const [word] = dialect.words['tool.before'] ?? [];
  const why = { kind: 'not-loaded', detail: problem.message } as const;
  const hook = word && missingGuest(dialect.name, word, { file, shown: file, layer, asker }, why);
  return { hooks: hook ? [hook] : [], offers: NO_OFFERS, problems: [problem] };
}

export const isApart = (layer: string, isolate: Isolate): boolean =>
  isolate === 'all' || (isolate === 'project' && layer === 'project');
