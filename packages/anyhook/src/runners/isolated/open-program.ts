/** A module of another dialect in a process of its own: a program of the host's brings it to life there. */
import type { Breakage, Reply } from '../../canon/exchange.ts';
import type { Problem } from '../../canon/problems.ts';
import type { Services } from '../../canon/services.ts';
import { describeThrown } from '../module/thrown.mjs';
import { brokenReply } from './broken-reply.ts';
import type { CellOptions } from './cell.ts';
import { offersOf } from './offers.ts';
import { MEMORY_MB, problemOf } from './open-isolated.ts';
import type { PausedLimit } from './pending.ts';
import { Warden } from './warden.ts';
import { toJson } from './wire.mjs';

export interface ProgramOptions {
  /** Its address: a module that exports `open`. */
  readonly program: string;
  /** What `open` is told. Plain data. */
  readonly about: unknown;
  /** For the program to bring the module to life. */
  readonly deadlineMs: number;
  readonly services: Services;
  readonly talk: NonNullable<CellOptions['talk']>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly memoryMb?: number;
  /** How long the process may be deaf while something it hands out is used, before it is ended. */
  readonly stallMs?: number;
}
export interface OpenedProgram {
  readonly ok: true;
  /** What the program said about the module. */
  readonly told: unknown;
  /** Never rejects; the arguments come back as the call left them. */
  run(index: number, args: readonly unknown[], limit: PausedLimit): Promise<Reply>;
  use: Warden['use'];
  pause: Warden['pause'];
  /** Other services, and what is said about the module, from now on: the process stays. */
  bind(services: Services, about: unknown): void;
  /** Not needed for the program to end. */
  close(): void;
}
export type ProgramOpened =
  | OpenedProgram
  | { readonly ok: false; readonly breakage: Breakage; readonly problem: Problem };

export async function openProgram(file: string, options: ProgramOptions): Promise<ProgramOpened> {
  const { program, about, services, memoryMb = MEMORY_MB, ...rest } = options;
  const warden = new Warden({
    ...rest,
    file,
    alias: {},
    memoryMb,
    offers: offersOf(services),
    program: { url: program, about },
  });
  const started = await warden.start();
  if (started.ok)
    return {
      ok: true,
      told: started.ready.told,
      run: (index, args, limit) => runOf(warden, index, args, limit),
      use: (work, signal) => warden.use(work, signal),
      pause: () => warden.pause(),
      bind: (given, said) => warden.bind(offersOf(given), said),
      close: () => warden.close(),
    };
  warden.close();
  const { breakage, problem = problemOf(breakage, file) } = started;
  return { ok: false, breakage, problem };
}

async function runOf(
  warden: Warden,
  index: number,
  args: readonly unknown[],
  limit: PausedLimit,
): Promise<Reply> {
  let json: string;
  try {
    json = toJson(args) ?? '[]';
  } catch (error) {
    const detail = `what the hook is told cannot cross to its process: ${describeThrown(error).message}`;
    return brokenReply({ kind: 'not-started', detail });
  }
  return await warden.run(index, `"args":${json}`, limit);
}
