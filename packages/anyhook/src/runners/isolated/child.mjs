// The isolated process: loads one module and runs its hooks, one message at a time.
import { Socket } from 'node:net';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { exportedFrom, isDefinition } from '../module/exported-from.mjs';
import { loadModule } from '../module/load-module.mjs';
import { describeThrown } from '../module/thrown.mjs';
import { hostStub } from './host-stub.mjs';
import { openProgram } from './child-program.mjs';
import { RpcLines } from './rpc-lines.mjs';
import { CHANNEL_FD, LIFELINE_FD, readLines, toJson } from './wire.mjs';

/** @import { FromChild, GuestHook, Program, ToChild } from './wire.mjs' */
/** @typedef {{ run(event: unknown, host: unknown): unknown }} Runnable */

const channel = new Socket({ fd: CHANNEL_FD });
channel.on('error', () => process.exit()).on('close', () => process.exit());

/** @type {Runnable[]} */
let hooks = [];
/** @type {readonly GuestHook[]} */
let guests = [];
/** What the synchronous services of a guest's host said last. @type {Record<string, unknown>} */
const seen = {};
const rpc = new RpcLines((line) => void channel.write(`${line}\n`));
let hostOf = hostStub([], { ask, tell });
let guestHost = hostOf(seen, new AbortController().signal);
/** @type {unknown} */
let aboutGuest;
/** @type {Map<number, AbortController>} */
const running = new Map();
/** @type {Map<number, { resolve: (value: unknown) => void, reject: (error: Error) => void }>} */
const asked = new Map();
let lastAsk = 0;

const lifeline = new Worker(new URL('./lifeline.mjs', import.meta.url), {
  workerData: { fd: LIFELINE_FD, largestBytes: Number(process.argv[2]) * 2 ** 20 },
});
lifeline.unref();
const armed = once(lifeline, 'message');

// A promise somebody forgot is that module's fault, but no reason to end it in the middle of its work.
process.on('unhandledRejection', (error) =>
  tell('log', ['warn', `a promise was rejected and nobody listened: ${describeThrown(error).message}`]),
);
readLines(
  channel,
  (line) => (RpcLines.isOne(line) ? rpc.take(line) : void hear(JSON.parse(line))),
  () => process.exit(1),
);

/** @param {ToChild} message */
async function hear(message) {
  if (message.kind === 'load') return await load(message);
  if (message.kind === 'run') return await run(message);
  if (message.kind === 'glance') return glanceAt(message.glance);
  if (message.kind === 'offers') return offered(message.offers, message.about);
  if (message.kind === 'ping') return send({ kind: 'pong' });
  if (message.kind === 'cancel') return running.get(message.id)?.abort();
  const waiting = asked.get(message.id);
  asked.delete(message.id);
  if (message.error === undefined) waiting?.resolve(message.value);
  else waiting?.reject(new Error(message.error));
}

/** @param {Extract<ToChild, { kind: 'load' }>} message */
async function load({ file, alias, deadlineMs, offers, program }) {
  offered(offers, program?.about);
  await armed;
  if (program !== undefined) return await bring(program, file);
  send({ kind: 'loading' });
  const loaded = await loadModule(file, { alias, deadlineMs });
  if (!loaded.ok) return send({ kind: 'not-loaded', breakage: loaded.breakage, problem: loaded.problem });
  const all = exportedFrom(loaded.exports);
  const defined = all.flatMap(({ name, value }) => (isDefinition(value) ? [{ name, value }] : []));
  hooks = defined.map(({ value }) => /** @type {Runnable} */ (/** @type {unknown} */ (value)));
  send({
    kind: 'ready',
    defined: defined.map(({ name, value }) => told(name, value)),
    others: all
      .filter(({ value }) => !isDefinition(value))
      .map(({ name, value }) => ({ export: name, is: typeof value })),
  });
}

/** @param {readonly string[]} offers @param {unknown} about */
function offered(offers, about) {
  hostOf = hostStub(offers, { ask, tell });
  guestHost = hostOf(seen, new AbortController().signal);
  aboutGuest = about;
}

/** @param {Program} program @param {string} file */
async function bring({ url }, file) {
  try {
    const open = await openProgram(url);
    send({ kind: 'loading' });
    const opened = await open({ rpc, about: () => aboutGuest, host: () => guestHost });
    guests = opened.hooks;
    send({ kind: 'ready', defined: [], others: [], told: opened.told });
  } catch (error) {
    const { message } = describeThrown(error);
    send({
      kind: 'not-loaded',
      breakage: { kind: 'not-loaded', detail: `${file}: ${message}` },
      problem: { code: 'not-loaded', file, message, severity: 'error' },
    });
  }
}

/** @param {string} name @param {Record<PropertyKey, unknown>} definition */
function told(name, definition) {
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

/** @param {Extract<ToChild, { kind: 'run' }>} message */
async function run({ id, index, event, args = [], glance }) {
  send({ kind: 'begun', id });
  const abort = new AbortController();
  running.set(id, abort);
  try {
    const hook = hooks[index];
    const guest = guests[index];
    if (hook === undefined && guest === undefined)
      throw new RangeError(`the module has no hook number ${index}`);
    glanceAt(glance);
    const value =
      guest === undefined
        ? await hook?.run(freeze(event), hostOf(glance, abort.signal))
        : await guest(args, abort.signal);
    send({ kind: 'answer', id, reply: { kind: 'returned', value, args } });
  } catch (error) {
    send({ kind: 'answer', id, reply: { kind: 'threw', ...describeThrown(error), args } });
  }
  running.delete(id);
}

/** @param {Readonly<Record<string, unknown>>} glance */
function glanceAt(glance) {
  for (const name of Object.keys(seen)) delete seen[name];
  Object.assign(seen, glance);
}

/** @param {string} service @param {readonly unknown[]} args @param {AbortSignal} [signal] */
function ask(service, args, signal) {
  const id = ++lastAsk;
  const answer = new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
  send({ kind: 'ask', id, service, args });
  signal?.addEventListener('abort', () => send({ kind: 'drop', id }), { once: true });
  if (signal?.aborted === true) send({ kind: 'drop', id });
  return answer;
}

/** @param {string} service @param {readonly unknown[]} args */
function tell(service, args) {
  send({ kind: 'tell', service, args });
}

/**
 * Throws for what cannot cross, except for answers: those say so instead.
 * @param {FromChild} message
 */
function send(message) {
  let line;
  try {
    line = toJson(message);
  } catch (error) {
    if (message.kind !== 'answer') throw error;
    const detail = `the answer cannot cross to the host: ${describeThrown(error).message}`;
    line = toJson({ ...message, reply: { kind: 'broken', why: { kind: 'unreadable', detail } } });
  }
  channel.write(`${line}\n`);
}

/** @param {unknown} value @returns {unknown} */
function freeze(value) {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
