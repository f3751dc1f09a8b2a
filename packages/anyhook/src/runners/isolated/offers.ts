/** The host's services, as an isolated module may call them. */
import type { Services } from '../../canon/services.ts';
import { describeThrown } from '../module/thrown.mjs';
import { SERVICES } from './wire.mjs';

type Callable = (...args: unknown[]) => unknown;

export interface Offers {
  readonly names: readonly string[];
  /** What the synchronous services say now. */
  glance(): Readonly<Record<string, unknown>>;
  /** Never rejects: what went wrong is told to the module, not to the host. */
  ask(
    service: string,
    args: readonly unknown[],
    signal: AbortSignal,
  ): Promise<{ value?: unknown; error?: string }>;
  tell(service: string, args: readonly unknown[]): void;
}

/** A snapshot is sent with every event, so that it must stay small. */
const LARGEST_GLANCE = 1024 * 1024;

export function offersOf(services: Services): Offers {
  const found = new Map(
    Object.keys(SERVICES).flatMap((name) => {
      const service = serviceIn(services, name);
      return service === undefined ? [] : [[name, service] as const];
    }),
  );
  const called = (name: string, manner: string, args: readonly unknown[]) => {
    const service = SERVICES[name]?.manner === manner ? found.get(name) : undefined;
    if (service === undefined) throw new TypeError(`the host offers no '${name}' to isolated modules`);
    return service(...args.map((arg) => arg ?? undefined)); // JSON knows no undefined: an argument left out came as null
  };
  return {
    names: [...found.keys()],
    glance: () => glanceAt(found),
    async ask(name, args, signal) {
      try {
        return { value: await called(name, 'ask', withSignal(name, args, signal)) };
      } catch (error) {
        return { error: describeThrown(error).message };
      }
    },
    tell(name, args) {
      const failed = (error: unknown) =>
        services.log?.('warn', `${name} failed: ${describeThrown(error).message}`);
      try {
        // A service that says it returns nothing may still be an async function.
        if (name === 'log') called(name, 'tell', args);
        else Promise.resolve(called(name, 'tell', args)).catch(failed);
      } catch (error) {
        if (name !== 'log') failed(error);
      }
    },
  };
}

function serviceIn(services: Services, name: string): Callable | undefined {
  const [room = '', method] = name.split('.');
  const home = services[room as keyof Services] as Readonly<Record<string, unknown>> | Callable | undefined;
  if (method === undefined) return typeof home === 'function' ? home : undefined;
  const found = (home as Readonly<Record<string, unknown>> | undefined)?.[method];
  return typeof found === 'function' ? (found as Callable).bind(home) : undefined;
}

function glanceAt(found: ReadonlyMap<string, Callable>): Readonly<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const [name, look] of found) {
    if (SERVICES[name]?.manner !== 'glance') continue;
    try {
      const value: unknown = look();
      if ((JSON.stringify(value)?.length ?? 0) <= LARGEST_GLANCE) seen[name] = value;
    } catch {
      // Left out: the module hears that it could not cross, when it asks.
    }
  }
  return seen;
}

/** Where the module had a signal of its own, the host's service gets one that follows it. */
function withSignal(name: string, args: readonly unknown[], signal: AbortSignal): unknown[] {
  const { signal: at, inside } = SERVICES[name] ?? {};
  if (at === undefined) return [...args];
  const filled = Array.from({ length: Math.max(args.length, at + 1) }, (_, index) => args[index]);
  filled[at] = inside === true ? { ...(filled[at] as object | undefined), signal } : signal;
  return filled;
}
