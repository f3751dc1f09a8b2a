/** Selects the runner for each kind of hook (`Hook.run.kind`). A new kind is one line in this table. */

import { FrozenEvent } from '../engine/frozen.ts';
import { HostView } from '../engine/host-view.ts';
import type { LateStart } from '../engine/parts.ts';
import type { Event } from '../events/event.ts';
import type { CallRequest, CommandRequest, Limit, Reply, Request, SendRequest } from '../events/exchange.ts';
import { type Hook, inOwnPaths, type WayKind, type WayOf } from '../events/hook.ts';
import type { Services } from '../events/services.ts';
import { type RunningCall, runCall } from '../runners/call.ts';
import type { CommandRunner } from '../runners/command/index.ts';
import type { Afterwards } from '../runners/command/job.ts';
import type { HttpRunner } from '../runners/http/index.ts';
import type { McpRunner } from '../runners/mcp/index.ts';
import { runPrompt } from '../runners/prompt.ts';
import type { DepthLimit } from './depth-limit.ts';

export interface Runners {
  readonly commands: () => CommandRunner;
  readonly services: Services;
  readonly depthLimit: DepthLimit;
  /** The program that reads the answer of a background command after this program has ended. */
  readonly afterwards?: (hook: Hook, start: LateStart) => Afterwards | undefined;
  readonly isolated?: (way: WayOf<'isolated'>, request: CallRequest, limit: Limit) => Promise<Reply>;
  /** Judges a call by what happened earlier. */
  readonly judgeRule?: (way: WayOf<'rule'>, call: Event) => Reply;
  /** Opened with the first hook. */
  readonly mcp?: () => Promise<McpRunner>;
  /** The session's variables, for header values of HTTP hooks. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Hooks of a project get here only after they are trusted. */
  readonly isGated?: true;
  /** Returns the files of a trusted hook that have changed since. */
  readonly changed?: (hook: Hook) => readonly string[];
  /** Aborts everything that runs, including background hooks. */
  readonly signal?: AbortSignal;
}
type Take<K extends WayKind> = (
  way: WayOf<K>,
  request: never,
  limit: Limit,
  hook: Hook,
  late?: LateStart,
) => Reply | Promise<Reply>;

/** Kinds that run in this process. */
const NO_PROCESS: ReadonlySet<WayKind> = new Set(['call', 'rule']);

export function makeRun(runners: Runners) {
  const { commands, services, depthLimit, isolated, mcp, signal } = runners;
  /** Consecutive calls with the same event share its frozen copy. */
  let last: { readonly event: Event; readonly frozen: FrozenEvent } | undefined;
  const frozenOf = (event: Event): FrozenEvent => {
    if (last?.event !== event) last = { event, frozen: new FrozenEvent(event) };
    return last.frozen;
  };
  const directArgs = (event: unknown, call: RunningCall) => [
    frozenOf(event as Event), // a direct hook receives the event itself
    new HostView(services, call, (event as Event).ids.session),
  ];
  let httpRunner: Promise<HttpRunner> | undefined;
  /** Loaded with the first hook. */
  const http = () =>
    (httpRunner ??= import('../runners/http/index.ts').then(({ openHttpRunner }) => openHttpRunner(runners)));
  const RUNNERS: { [K in WayKind]: Take<K> } = {
    command(way, request: CommandRequest, limit, hook, late) {
      const afterwards = late && runners.afterwards?.(hook, late);
      return commands().run(way, { ...request, env: { ...request.env, ...depthLimit.env } }, limit, {
        background: hook.background,
        ...(afterwards && { afterwards }),
        ...(hook.queue !== undefined && { queue: `${hook.queue}\0${way.cwd ?? request.cwd}` }),
      });
    },
    call: (way, request: CallRequest, limit) => runCall(way, request, limit, directArgs),
    isolated: (way, request: CallRequest, limit) =>
      isolated?.(way, request, limit) ?? unavailable('isolated'),
    rule: (way, request: CallRequest) =>
      // The dialect of rules writes the event itself.
      runners.judgeRule?.(way, request.args[0] as Event) ?? unavailable('rule'),
    prompt: (way, request: SendRequest, limit) => runPrompt(way, request, limit, services),
    http: async (way, request: SendRequest, limit, hook) =>
      (await http()).run(way, request, limit, reachOf(hook, runners)),
    mcp: async (way, request: SendRequest, limit) =>
      (await mcp?.())?.run(way, request, limit) ?? unavailable('mcp'),
    missing: ({ why }) => ({ kind: 'broken', why }),
  };
  return (hook: Hook, request: Request, limit: Limit, late?: LateStart): Reply | Promise<Reply> => {
    const why = NO_PROCESS.has(hook.run.kind) ? '' : depthLimit.spend();
    if (why !== '') return { kind: 'broken', why: { kind: 'too-deep', detail: why } };
    const changed = runners.changed?.(hook) ?? [];
    if (changed.length > 0)
      return {
        kind: 'broken',
        why: { kind: 'not-trusted', detail: `changed since it was trusted: ${changed.join(', ')}` },
      };
    const take = RUNNERS[hook.run.kind] as (
      way: unknown,
      request: Request,
      limit: Limit,
      hook: Hook,
      late?: LateStart,
    ) => Reply | Promise<Reply>;
    const ends = hook.background && signal !== undefined ? { ...limit, signal } : limit;
    const reply = take(hook.run, request, ends, hook, late); // the table is indexed by the kind that is passed
    if (hook.copy === undefined) return reply;
    return Promise.resolve(reply).then((one) => namingOwnFiles(one, hook));
  };
}

/** Replaces paths of the private copy in messages. stdout is an answer and stays unchanged. */
function namingOwnFiles(reply: Reply, hook: Hook): Reply {
  const own = (text: string) => inOwnPaths(text, hook);
  if (reply.kind === 'exited') return { ...reply, stderr: own(reply.stderr) };
  if (reply.kind === 'threw') return { ...reply, message: own(reply.message) };
  if (reply.kind !== 'broken') return reply;
  const { why, stderr } = reply;
  return {
    ...reply,
    why: why.detail === undefined ? why : { ...why, detail: own(why.detail) },
    ...(stderr !== undefined && { stderr: own(stderr) }),
  };
}

/** A hook of the user, or one that they trusted, may reach the private network. */
const reachOf = ({ origin }: Hook, { isGated = false }: { readonly isGated?: boolean }) =>
  origin.layer === 'project' && !isGated ? 'public' : 'private';

const unavailable = (kind: string): Reply => ({
  kind: 'broken',
  why: { kind: 'unavailable', detail: `no runner for ${kind} hooks in this host` },
});
