/** The host's services as RPC methods: the only ones that a module in another process may call. */

import type { Services } from '../../events/services.ts';
import { describeThrown } from '../module/thrown.mjs';
import type { ServedCall } from './rpc.mjs';
import { type Crossing, SERVICES } from './service-table.mjs';

type Method = (...args: never[]) => unknown;
type AnyMethod = (...args: unknown[]) => unknown;

export interface HostServices {
  /** Names of the services that the host has. */
  readonly names: readonly string[];
  readonly methods: Readonly<Record<string, Method>>;
  /** Current results of the synchronous services, as JSON. */
  snapshot(): string;
}
export interface HostServicesTerms {
  /** Pauses deadlines while the user is asked. Returns a function that continues them. */
  readonly pause: () => () => void;
  /**
   * Methods for services that take or return code, by service name. For synchronous services, their results
   * form the snapshot.
   */
  readonly adapters?: Readonly<Record<string, (service: unknown) => Method>>;
}

/** A snapshot is sent with every event, so its size is limited. */
const LARGEST_SNAPSHOT = 1024 * 1024;

export function hostServices(services: Services, { pause, adapters = {} }: HostServicesTerms): HostServices {
  const names: string[] = [];
  const methods: Record<string, Method> = {};
  const looks = new Map<string, AnyMethod>();
  for (const [name, crossing] of SERVICES) {
    const found = serviceIn(services, name);
    if (found === undefined || (typeof found !== 'function' && !Object.hasOwn(adapters, name))) continue;
    names.push(name);
    const adapted = Object.hasOwn(adapters, name) ? adapters[name]!(found) : undefined;
    const service = (adapted ?? found) as AnyMethod;
    const { how } = crossing;
    if (how === 'snapshot') looks.set(name, service);
    else if (how === 'call') methods[name] = signalled(service, crossing);
    else if (how === 'dialog') methods[name] = signalled(paused(service, pause), crossing);
    else if (how === 'notice') methods[name] = unanswered(name, service, services);
    else if (adapted !== undefined) methods[name] = adapted;
  }
  return { names, methods, snapshot: () => snapshotOf(looks) };
}

/** Binds methods, because a service may be an instance of a class. */
function serviceIn(services: Services, name: string): unknown {
  const [service = '', method] = name.split('.');
  const home: unknown = services[service as keyof Services];
  if (method === undefined) return home;
  const found: unknown = (home as Readonly<Record<string, unknown>> | undefined)?.[method];
  return typeof found === 'function' ? (found as AnyMethod).bind(home) : found;
}

/** Replaces any signal of the module by that of the call, which follows the module's signal and its end. */
const signalled = (service: AnyMethod, crossing: Crossing) =>
  function called(this: ServedCall, ...args: unknown[]): unknown {
    const at =
      ('signal' in crossing ? crossing.signal : undefined) ??
      ('options' in crossing ? crossing.options : undefined);
    if (at === undefined) return service(...args);
    const given = Array.from({ length: Math.max(args.length, at + 1) }, (_, index) => args[index]);
    given[at] =
      'options' in crossing ? { ...(given[at] as object | undefined), signal: this.signal } : this.signal;
    return service(...given);
  };

const paused =
  (ask: AnyMethod, pause: () => () => void): AnyMethod =>
  async (...args) => {
    const goOn = pause();
    try {
      return await ask(...args);
    } finally {
      goOn();
    }
  };

/** The module does not receive errors, so they are logged. Errors of the log are dropped. */
const unanswered =
  (name: string, service: AnyMethod, { log }: Services): AnyMethod =>
  async (...args) => {
    try {
      await service(...args); // a function declared to return nothing may still be asynchronous
    } catch (error) {
      if (name !== 'log') log?.('warn', `${name} failed: ${describeThrown(error).message}`);
    }
  };

function snapshotOf(looks: ReadonlyMap<string, AnyMethod>): string {
  const entries: string[] = [];
  for (const [name, look] of looks) {
    try {
      const json = JSON.stringify(look());
      if (json !== undefined && json.length <= LARGEST_SNAPSHOT)
        entries.push(`${JSON.stringify(name)}:${json}`);
    } catch {
      // Omitted: the module gets an error when it asks for it.
    }
  }
  return `{${entries.join(',')}}`;
}
