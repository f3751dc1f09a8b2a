/** The program of an isolated process: brings one module of another dialect to life, as its host would. */
import { RpcSession } from 'capnweb';
import type { Hook } from '../../canon/hook.ts';
import type { GuestHook, Link, OpenedHere } from '../../runners/isolated/wire.mjs';
import type { GuestModule } from './guest.ts';
import { bringOf } from './bring-of.ts';
import { Served } from './serve.ts';
import { type CalledDesk, liveServices } from './services.ts';
import type { Palette } from './theme.ts';
import { tell } from './told.ts';

/** What the host says about the module. */
export interface About {
  readonly dialect: string;
  readonly module: GuestModule;
  readonly cwd: string;
  readonly home: string;
  readonly deadlineMs: number;
  readonly handlerMs?: number;
  readonly palette?: Palette;
}

export async function open({ rpc, about, host }: Link): Promise<OpenedHere> {
  const said = () => about() as About; // written by `guest-isolate.ts`
  const { dialect, module, cwd, home, deadlineMs, handlerMs } = said();
  const served = new Served();
  const desk = new RpcSession(rpc, served).getRemoteMain() as unknown as CalledDesk;
  const bring = await bringOf(dialect);
  if (bring === undefined) throw new Error(`modules of the dialect ${dialect} cannot be run`);
  const services = liveServices(desk, () => {
    const { palette } = said();
    return { host: host(), ...(palette && { palette }) };
  });
  const brought = await bring(module, {
    cwd,
    home,
    env: process.env,
    services,
    deadlineMs,
    ...(handlerMs !== undefined && { handlerMs }),
  });
  const { hooks, offers, told } = tell(brought);
  Served.fill(served, offers, brought.dispose?.bind(brought));
  return { hooks: hooks.map(called), told };
}

const called =
  ({ run }: Hook): GuestHook =>
  (args, signal) => {
    if (run.kind !== 'call') throw new TypeError(`a hook that runs as ${run.kind} is not called here`);
    return Reflect.apply(run.fn as (...given: readonly unknown[]) => unknown, { signal }, args);
  };
