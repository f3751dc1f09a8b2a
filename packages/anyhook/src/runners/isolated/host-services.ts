/** The host's services as methods of its end of the RPC: what a module in another process may call, and nothing else. */
import type { Services } from '../../events/services.ts';
import { describeThrown } from '../module/thrown.mjs';
import { type Crossing, SERVICES } from './service-table.mjs';
import type { ServedCall } from './rpc.mjs';

type Method = (...args: never[]) => unknown;
type AnyMethod = (...args: unknown[]) => unknown;

export interface HostServices {
  /** Those that the host has. */
  readonly names: readonly string[];
  readonly methods: Readonly<Record<string, Method>>;
  /** What those that answer at once say now, as JSON. */
  snapshot(): string;
}
export interface HostServicesTerms {
  /** Deadlines stand still while a person is asked; until what it returns is called. */
  readonly pause: () => () => void;
  /** Methods for what takes or gives code, by the service's name; a snapshot is made of what it returns. */
  readonly adapters?: Readonly<Record<string, (service: unknown) => Method>>;
}

/** A snapshot is sent with every event, so that it must stay small. */
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

/** A service may be an instance of a class: its methods are bound to it. */
function serviceIn(services: Services, name: string): unknown {
  const [service = '', method] = name.split('.');
  const home: unknown = services[service as keyof Services];
  if (method === undefined) return home;
  const found: unknown = (home as Readonly<Record<string, unknown>> | undefined)?.[method];
  return typeof found === 'function' ? (found as AnyMethod).bind(home) : found;
}

/** Whatever signal the module has of its own, the service gets that of the call: it follows the module's, and its end. */
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

/** Nobody over there hears what goes wrong, so it is logged; a log that fails has nobody to tell. */
const unanswered =
  (name: string, service: AnyMethod, { log }: Services): AnyMethod =>
  async (...args) => {
    try {
      await service(...args); // one that says it returns nothing may still be asynchronous
    } catch (error) {
      if (name !== 'log') log?.('warn', `${name} failed: ${describeThrown(error).message}`);
    }
  };

function snapshotOf(looks: ReadonlyMap<string, AnyMethod>): string {
  const said: string[] = [];
  for (const [name, look] of looks) {
    try {
      const json = JSON.stringify(look());
      if (json !== undefined && json.length <= LARGEST_SNAPSHOT) said.push(`${JSON.stringify(name)}:${json}`);
    } catch {
      // Left out: the module hears that it could not cross, when it asks.
    }
  }
  return `{${said.join(',')}}`;
}
