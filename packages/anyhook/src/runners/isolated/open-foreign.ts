/** Opens a module of another agent in its own process, where a program of the host loads it. */

import type { HookFailure, Reply } from '../../events/exchange.ts';
import type { Problem } from '../../events/problems.ts';
import type { Services } from '../../events/services.ts';
import { describeThrown } from '../module/thrown.mjs';
import { brokenReply } from './broken-reply.ts';
import type { PausedLimit } from './hook-call.ts';
import { hostServices, type HostServicesTerms } from './host-services.ts';
import { MEMORY_MB, problemOf } from './open-isolated.ts';
import { PackWriter } from './pack.mjs';
import type { StrayError } from './stray-error.ts';
import { Supervisor } from './supervisor.ts';
import { toJson } from './wire.mjs';

export interface ForeignOptions {
  /** URL of the program: a module that exports `open`. */
  readonly program: string;
  /** Plain data that is passed to `open`. */
  readonly about: unknown;
  /** Time limit for loading the module. */
  readonly deadlineMs: number;
  readonly services: Services;
  /** For services that take or return code. */
  readonly adapters: (pause: () => () => void) => HostServicesTerms['adapters'] & object;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly memoryMb?: number;
  /** How long the process may not respond while something it offers is used, before it is killed. */
  readonly stallMs?: number;
  readonly onStray: (stray: StrayError) => void;
  /** Receives the module's output. */
  readonly onPrinted?: (text: string) => void;
  /** Kills the process while it is still loading the module. */
  readonly signal?: AbortSignal;
}
export interface OpenedForeign {
  readonly ok: true;
  /** What the program returned about the module. */
  readonly description: unknown;
  /** Never rejects. The reply contains the arguments as the call left them. */
  run(index: number, args: readonly unknown[], limit: PausedLimit): Promise<Reply>;
  use: Supervisor['use'];
  /** Replaces the services and the data about the module; the process stays. */
  bind(services: Services, about: unknown): void;
  /** The program can end without it. */
  close(): void;
}
export type ForeignOpened =
  | OpenedForeign
  | { readonly ok: false; readonly breakage: HookFailure; readonly problem: Problem };

export async function openForeign(file: string, options: ForeignOptions): Promise<ForeignOpened> {
  const { program, about, services, adapters, memoryMb = MEMORY_MB, signal, ...rest } = options;
  const pause = (): (() => void) => supervisor.pause();
  const crossing = (given: Services) => hostServices(given, { pause, adapters: adapters(pause) });
  const supervisor: Supervisor = new Supervisor({
    ...rest,
    file,
    alias: {},
    memoryMb,
    services: crossing(services),
    program: { url: program, about },
  });
  const abandon = () => supervisor.close();
  signal?.addEventListener('abort', abandon, { once: true });
  const started = await supervisor.start();
  signal?.removeEventListener('abort', abandon);
  if (started.ok)
    return {
      ok: true,
      description: started.ready.description,
      run: (index, args, limit) => runOf(supervisor, index, args, limit),
      use: (work, signal) => supervisor.use(work, signal),
      bind: (given, data) => supervisor.bind(crossing(given), data),
      close: () => supervisor.close(),
    };
  supervisor.close();
  const { breakage, problem = problemOf(breakage, file) } = started;
  return { ok: false, breakage, problem };
}

async function runOf(
  supervisor: Supervisor,
  index: number,
  args: readonly unknown[],
  limit: PausedLimit,
): Promise<Reply> {
  let json: string;
  try {
    json = toJson(args) ?? '[]';
  } catch (error) {
    const detail = `the arguments cannot be sent to the hook's process: ${describeThrown(error).message}`;
    return brokenReply({ kind: 'not-started', detail });
  }
  return await supervisor.run(index, new PackWriter(json), limit);
}
