// How each service of a host is reached from a module in another process. Both ends read this table, the
// compiler checks that it is complete, and docs/runners/isolated.md documents it.

/** @import { Services } from '../../events/services.ts' */
/**
 * call: called and awaited. dialog: the same, but deadlines pause because the user is asked. notice: called
 * without a result. snapshot: synchronous, answered from data sent with the event. adapted: takes or returns
 * code, and works only if both ends have an adapter.
 * `signal`: index of the argument that is an `AbortSignal`; `options`: index of the argument with a field
 * `signal`. The host's service always gets one, so that it ends with the calling process.
 * `writes`: the snapshot that a notice replaces with its first argument, so that a module reads its own
 * writes.
 * @typedef {{ readonly how: 'call' | 'dialog', readonly signal?: number, readonly options?: number }
 * | { readonly how: 'notice', readonly writes?: string }
 * | { readonly how: 'snapshot' | 'adapted' }} Crossing
 */
/**
 * @typedef {{ readonly [S in keyof Services]-?: NonNullable<Services[S]> extends (...args: never[]) => unknown
 *   ? Crossing
 *   : { readonly [M in keyof NonNullable<Services[S]>]-?: Crossing } }} ServiceTable
 */

const TABLE = /** @type {const} @satisfies {ServiceTable} */ ({
  ui: {
    select: { how: 'dialog', signal: 2 },
    confirm: { how: 'dialog', signal: 2 },
    input: { how: 'dialog', signal: 2 },
    editor: { how: 'dialog', signal: 2 },
    custom: { how: 'adapted' },
    notify: { how: 'notice' },
    status: { how: 'notice' },
    setEditorText: { how: 'notice', writes: 'ui.getEditorText' },
    getEditorText: { how: 'snapshot' },
    theme: { how: 'adapted' },
  },
  session: {
    entries: { how: 'snapshot' },
    view: { how: 'snapshot' },
    act: { how: 'adapted' },
    isIdle: { how: 'snapshot' },
    waitForIdle: { how: 'call' },
    abort: { how: 'notice' },
    hasQueued: { how: 'snapshot' },
    history: { how: 'call' },
  },
  sessions: {
    open: { how: 'call' },
    list: { how: 'call' },
    entries: { how: 'call' },
    prompt: { how: 'call' },
    abort: { how: 'call' },
    rename: { how: 'call' },
    remove: { how: 'call' },
  },
  messages: { send: { how: 'notice' }, append: { how: 'notice' } },
  commands: { register: { how: 'adapted' } },
  tools: { register: { how: 'adapted' }, call: { how: 'call', signal: 2 } },
  log: { how: 'notice' },
  model: { current: { how: 'snapshot' }, all: { how: 'snapshot' } },
  config: { how: 'call' },
  exec: { how: 'call', options: 2 },
  history: { how: 'call' },
  permit: { how: 'call', signal: 1 },
  judge: { how: 'call', options: 1 },
});

/**
 * By the name that is called: `ui.select`, `log`.
 * @type {ReadonlyMap<string, Crossing>}
 */
export const SERVICES = new Map(
  Object.entries(TABLE).flatMap(([service, how]) =>
    'how' in how
      ? [/** @type {const} */ ([service, /** @type {Crossing} */ (how)])]
      : Object.entries(how).map(
          ([method, one]) => /** @type {const} */ ([`${service}.${method}`, /** @type {Crossing} */ (one)]),
        ),
  ),
);
