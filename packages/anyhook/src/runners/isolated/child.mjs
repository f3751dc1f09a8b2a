// The process of an isolated module: loads it and runs its hooks.

import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { ownFile } from '../../own-files.mjs';
import { whenCompiling } from '../module/compile.mjs';
import { exportedFrom, isDefinition } from '../module/exported-from.mjs';
import { loadModule } from '../module/load-module.mjs';
import { describeThrown } from '../module/thrown.mjs';
import { importFile } from './import-file.mjs';
import { moduleServices } from './module-services.mjs';
import { PackWriter } from './pack.mjs';
import { methodIn, RpcEnd } from './rpc.mjs';
import { CHANNEL_FD, LIFELINE_FD, readLines, toJson } from './wire.mjs';

/** @import { HookFailure, Reply } from '../../events/exchange.ts' */
/** @import { Problem } from '../../events/problems.ts' */
/** @import { Adapters, Snapshot } from './module-services.mjs' */
/** @import { Method, ServedCall } from './rpc.mjs' */
/**
 * A program of the host that loads a foreign module in this process: the URL of a module that exports `open`,
 * and data about the module.
 * @typedef {{ readonly url: string, readonly about: unknown }} Program
 */
/**
 * The argument of `open`. The data about the module and the services may change later, so both are functions
 * or live objects.
 * @typedef {{ readonly call: (name: string, args: readonly unknown[]) => Promise<unknown>, readonly about: () => unknown,
 * readonly services: (adapters: Adapters) => Readonly<Record<string, unknown>>,
 * readonly offer: (methods: Readonly<Record<string, Method>>) => void }} Link
 * @typedef {(args: readonly unknown[], signal: AbortSignal) => unknown} ForeignHook
 * @typedef {{ readonly hooks: readonly ForeignHook[], readonly description: unknown }} OpenedModule
 * @typedef {(link: Link) => Promise<OpenedModule>} Open
 */
/**
 * An exported definition in a form that can be sent: its plain fields, and the names of those that cannot be
 * sent.
 * @typedef {{ readonly export: string, readonly fields: Readonly<Record<string, unknown>>,
 * readonly uncopyable: readonly string[] }} DefinedHook
 */
/**
 * @typedef {{ readonly file: string, readonly alias: Readonly<Record<string, string>>, readonly deadlineMs: number,
 *   readonly kept?: string, readonly services: readonly string[], readonly program: Program | null }} Load
 * @typedef {{ readonly kind: 'ready', readonly defined: readonly DefinedHook[],
 *     readonly others: readonly { readonly export: string, readonly is: string }[], readonly description?: unknown }
 *   | { readonly kind: 'not-loaded', readonly breakage: HookFailure, readonly problem: Problem }} Loaded
 */
/** @typedef {(args: readonly unknown[], signal: AbortSignal, snapshot: Snapshot) => unknown} Hook */

// This process is the helper that the variable announces; what the module starts is not.
delete process.env['ANYHOOK_HELPER'];
const channel = new Socket({ fd: CHANNEL_FD });
channel.on('error', () => process.exit()).on('close', () => process.exit());

/** @type {readonly Hook[]} */
let hooks = [];
/** Whether the arguments are sent back with the answer. Our own hooks get an immutable event. */
let returnsArgs = false;
/** @type {readonly string[]} */
let offered = [];
/** @type {unknown} */
let about;
/** Last snapshots of synchronous services, for calls outside of a hook. @type {Record<string, unknown>} */
const snapshots = {};
/** Incremented when the host's services change. */
let bound = 0;

/** Hook calls without an answer yet. @type {Map<number, (broken: HookFailure) => void>} */
const pending = new Map();
/**
 * The hook call that some code belongs to, even long after the call, to name the hook in reports of stray
 * errors.
 */
const inCall = /** @type {AsyncLocalStorage<{ readonly id: number, readonly index: number }>} */ (
  new AsyncLocalStorage()
);

/** @type {Record<string, Method>} */
const methods = { load, run, bind, look, ping() {} };
const rpc = new RpcEnd(
  (line) => void channel.write(`${line}\n`),
  (name) => methodIn(methods, name),
);

const lifeline = new Worker(ownFile('runners/isolated/lifeline.mjs'), {
  workerData: { fd: LIFELINE_FD, largestBytes: Number(process.argv[2]) * 2 ** 20 },
});
lifeline.unref();
const armed = once(lifeline, 'message');

// A forgotten promise or a throw in a timer is the module's fault, but does not end its process in the middle
// of its work. The waiting call fails, and the host is notified once.
process.on('unhandledRejection', (error) => stray('rejection', error));
process.on('uncaughtException', (error) => {
  const call = inCall.getStore();
  const [only, ...more] = pending.keys();
  const fail = pending.get(call?.id ?? (more.length === 0 ? (only ?? 0) : 0));
  if (fail === undefined) return stray('throw', error);
  fail({ kind: 'failed', detail: `uncaught exception: ${describeThrown(error).message}` });
});
readLines(
  channel,
  (line) => rpc.take(line),
  () => process.exit(1),
);

/** @param {'rejection' | 'throw'} kind @param {unknown} error */
function stray(kind, error) {
  const index = inCall.getStore()?.index;
  rpc.notify('stray', [
    { kind, message: describeThrown(error).message, ...(index !== undefined && { index }) },
  ]);
}

/**
 * Compile time is not charged to the module: the host restarts the module's deadline.
 * @param {Load} wanted @returns {Promise<Loaded>}
 */
async function load(wanted) {
  const quiet = whenCompiling(() => rpc.notify('loading', []));
  try {
    return await loadWanted(wanted);
  } finally {
    quiet();
  }
}

/** @param {Load} wanted @returns {Promise<Loaded>} */
async function loadWanted({ file, alias, deadlineMs, kept, services, program }) {
  bind(services, program?.about);
  if (program !== null) return await loadForeign(program, file);
  await armed;
  rpc.notify('loading', []);
  const loaded = await loadModule(file, { alias, deadlineMs, ...(kept !== undefined && { kept }) });
  if (!loaded.ok) return { kind: 'not-loaded', breakage: loaded.breakage, problem: loaded.problem };
  const all = exportedFrom(loaded.exports);
  const defined = all.flatMap(({ name, value }) => (isDefinition(value) ? [{ name, value }] : []));
  hooks = defined.map(({ value }) => runnerOf(value));
  return {
    kind: 'ready',
    defined: defined.map(({ name, value }) => described(name, value)),
    others: all
      .filter(({ value }) => !isDefinition(value))
      .map(({ name, value }) => ({ export: name, is: typeof value })),
  };
}

/** @param {unknown} definition @returns {Hook} */
const runnerOf =
  (definition) =>
  ([event], signal, snapshot) =>
    /** @type {{ run(event: unknown, host: unknown): unknown }} */ (definition).run(freeze(event), {
      signal,
      ...withHistory(moduleServices(offered, { rpc, snapshot }), event),
    });

/**
 * Adds the history of the event's own session, as for modules in the host's process.
 * @param {Record<string, unknown>} services @param {unknown} event
 * @returns {Record<string, unknown>}
 */
function withHistory(services, event) {
  const { history, session = { entries: () => [] } } = services;
  if (typeof history !== 'function') return services;
  const { ids } = /** @type {{ ids: { session: string } }} */ (event);
  const own = (/** @type {unknown} */ query) => /** @type {unknown} */ (history(ids.session, query));
  return { ...services, session: { .../** @type {object} */ (session), history: own } };
}

/** @param {Program} program @param {string} file @returns {Promise<Loaded>} */
async function loadForeign({ url }, file) {
  try {
    const [{ open }] = await Promise.all([/** @type {Promise<{ open: Open }>} */ (importFile(url)), armed]);
    rpc.notify('loading', []);
    const opened = await open({
      call: (name, args) => rpc.call(name, args),
      about: () => about,
      services: liveServices,
      offer,
    });
    hooks = opened.hooks;
    returnsArgs = true;
    return { kind: 'ready', defined: [], others: [], description: opened.description };
  } catch (error) {
    const { message } = describeThrown(error);
    return {
      kind: 'not-loaded',
      breakage: { kind: 'not-loaded', detail: `${file}: ${message}` },
      problem: { code: 'not-loaded', file, message, severity: 'error' },
    };
  }
}

/** @param {Readonly<Record<string, Method>>} more */
function offer(more) {
  for (const [name, method] of Object.entries(more)) {
    if (Object.hasOwn(methods, name)) throw new TypeError(`duplicate method ${name}`);
    methods[name] = method;
  }
}

/** The host's current services, looked up on each access. @param {Adapters} adapters */
function liveServices(adapters) {
  let known = -1;
  /** @type {Record<string, unknown>} */
  let services = {};
  const now = () => {
    if (known !== bound) {
      known = bound;
      services = moduleServices(offered, { rpc, snapshot: snapshots, adapters });
    }
    return services;
  };
  return new Proxy(
    /** @type {Record<string, unknown>} */ ({}),
    {
      get: (_, name) => /** @type {unknown} */ (Reflect.get(now(), name)),
      has: (_, name) => Reflect.has(now(), name),
      ownKeys: () => Reflect.ownKeys(now()),
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(now(), name);
        return found && { ...found, configurable: true };
      },
    },
  );
}

/** @param {readonly string[]} services @param {unknown} data */
function bind(services, data) {
  offered = services;
  about = data;
  bound++;
}

/** @param {Snapshot} snapshot */
function look(snapshot) {
  for (const name of Object.keys(snapshots)) delete snapshots[name];
  Object.assign(snapshots, snapshot);
}

/** @param {string} name @param {Record<PropertyKey, unknown>} definition @returns {DefinedHook} */
function described(name, definition) {
  /** @type {Record<string, unknown>} */
  const fields = {};
  /** @type {string[]} */
  const uncopyable = [];
  for (const [key, value] of Object.entries(definition)) {
    if (key === 'run') fields[key] = typeof value;
    else if (isCopyable(value)) fields[key] = value;
    else uncopyable.push(key);
  }
  return { export: name, fields, uncopyable };
}

/** @param {unknown} value */
function isCopyable(value) {
  try {
    toJson(value);
    return !(value instanceof RegExp);
  } catch {
    return false;
  }
}

/**
 * @this {ServedCall}
 * @param {number} index
 * @param {readonly unknown[]} args what the call leaves in them goes back with the answer
 * @param {Snapshot} snapshot
 * @returns {Promise<PackWriter>} a reply: data only, so that what is none is refused by name and no handle of it stays here
 */
async function run(index, args, snapshot) {
  const id = this.id ?? 0;
  rpc.notify('begun', [id]);
  const hook = hooks[index];
  if (hook === undefined) throw new RangeError(`the module has no hook number ${index}`);
  look(snapshot);
  const failed = /** @type {Promise<Reply>} */ (
    new Promise((resolve) => pending.set(id, (why) => resolve({ kind: 'broken', why })))
  );
  const reply = await Promise.race([
    failed,
    inCall.run({ id, index }, replyOf, hook, args, this.signal, snapshot),
  ]);
  pending.delete(id);
  return written(reply);
}

/** @param {Hook} hook @param {readonly unknown[]} args @param {AbortSignal} signal @param {Snapshot} snapshot @returns {Promise<Reply>} */
async function replyOf(hook, args, signal, snapshot) {
  const left = returnsArgs ? args : [];
  try {
    return { kind: 'returned', value: await hook(args, signal, snapshot), args: left };
  } catch (error) {
    return { kind: 'threw', ...describeThrown(error), args: left };
  }
}

/** @param {Reply} reply */
function written(reply) {
  try {
    return new PackWriter(/** @type {string} */ (toJson(reply)));
  } catch (error) {
    const detail = `the answer cannot be sent to the host: ${describeThrown(error).message}`;
    return new PackWriter(JSON.stringify({ kind: 'broken', why: { kind: 'unreadable', detail } }));
  }
}

/** @param {unknown} value @returns {unknown} */
function freeze(value) {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
