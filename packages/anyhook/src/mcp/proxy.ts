/**
 * The proxy between a client and a server. Messages pass unchanged, except tool calls and the tool list. Messages to the server
 * are serialised again from what was parsed, so nothing unexamined is sent.
 */

import { randomUUID } from 'node:crypto';
import { same } from '../events/changes.ts';
import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';
import { NO_OFFERS } from '../events/offers.ts';
import { thrownText } from '../events/thrown.ts';
import type { JudgedCalls } from '../gather/judged-calls.ts';
import type { Hooks } from '../library/hooks.ts';
import { aborted } from './flow.ts';
import { HookedCall } from './hooked-call.ts';
import {
  CLOSED,
  INVALID,
  INVALID_PARAMS,
  isNotification,
  isRequest,
  isResponse,
  type Message,
  type MessageId,
  paramsOf,
  replyIn,
  requestKey,
  type RequestMessage,
  responseTo,
  rpcFailure,
  type RpcReply,
} from './message.ts';
import { OfferedTools, serveOffered } from './offered-tools.ts';
import { OpenRequests, type ServerAnswer } from './open-requests.ts';
import { Questions } from './questions.ts';
import type { ServerLink } from './server-link.ts';

export interface ProxyOptions {
  readonly link: ServerLink;
  /** Writes one line to the client. */
  readonly write: (line: string) => void;
  /** Writes to the agent's log, for the user. */
  readonly say: (text: string) => void;
  readonly hooks: Promise<Hooks>;
  readonly cwd: string;
  /** The server's name in the agent's settings; otherwise the name that it reports. */
  readonly name: string | undefined;
  readonly offers: 'added' | 'left out';
  /** Calls that the bridge of this agent has judged already. */
  readonly judged: JudgedCalls | undefined;
}

interface RunningCall {
  readonly stop: AbortController;
  /** The server has received it. */
  isSent: boolean;
}

export class Proxy {
  readonly #options: ProxyOptions;
  readonly #questions: Questions;
  readonly #session = `mcp-${randomUUID()}`;
  readonly #open: OpenRequests;
  /** Requests that involve hooks, from arrival to answer. */
  readonly #handled = new Map<string, Promise<void>>();
  readonly #running = new Map<string, RunningCall>();
  /** Calls that the server runs as tasks. Their results are fetched later. */
  readonly #tasks = new Map<string, HookedCall>();
  readonly #offered: Promise<OfferedTools>;
  #server: string;
  /** Calls wait for the server's name, so that none is judged under another one. */
  #naming: Promise<void> = Promise.resolve();
  #hasTools = true;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#open = new OpenRequests(options.link);
    this.#server = nameInTools(options.name ?? 'server');
    this.#questions = new Questions((message) => options.write(JSON.stringify(message)));
    this.#offered = options.hooks
      .then(({ offers }) => (options.offers === 'added' ? offers : NO_OFFERS))
      .catch(() => NO_OFFERS)
      .then(({ tools }) => new OfferedTools(tools, options.say));
  }

  /** Whether no request is waiting. */
  get isIdle(): boolean {
    return this.#open.size === 0 && this.#handled.size === 0;
  }

  /** A message that cannot be serialised, for example too deeply nested, is dropped without ending the session. */
  fromClient(message: Message): void {
    try {
      this.#take(message);
    } catch (error) {
      const id = isRequest(message) ? message.id : null;
      this.#reply(id, rpcFailure(INVALID, `this message cannot be sent on: ${thrownText(error)}`));
    }
  }

  #take(message: Message): void {
    if (isRequest(message)) this.#request(message);
    else if (isResponse(message)) {
      if (!this.#questions.take(message)) this.#options.link.send(message);
    } else if (isNotification(message)) {
      // A server that runs it anyway would run an unjudged call.
      if (this.#handlers.has(message.method))
        return this.#reply(
          null,
          rpcFailure(
            INVALID,
            `a call without an id (${message.method}) cannot be answered; it was not sent on`,
          ),
        );
      if (message.method !== 'notifications/cancelled' || this.#mayCancel(message))
        this.#options.link.send(message);
    } else
      this.#reply(
        null,
        rpcFailure(INVALID, `this is not a JSON-RPC message: ${JSON.stringify(message).slice(0, 200)}`),
      );
  }

  fromServer(message: Message, line?: string): void {
    try {
      this.#hear(message, line);
    } catch (error) {
      const text = `what the server sent cannot be passed on: ${thrownText(error)}`;
      if (isResponse(message)) this.#reply(message.id, rpcFailure(CLOSED, text));
      else this.#options.say(text);
    }
  }

  #hear(message: Message, line: string | undefined): void {
    if (!isResponse(message)) return this.#options.write(line ?? JSON.stringify(message));
    // A second answer would bypass the hooks that judged the first.
    if (!this.#open.settle({ message, line }))
      this.#options.say(
        `the server answered an unknown request (id ${requestKey(message.id)}); it is dropped`,
      );
  }

  /** Answers waiting requests and notifies hooks. */
  async serverEnded(how: string): Promise<void> {
    this.#open.serverEnded(how);
    await Promise.allSettled(this.#handled.values());
  }

  /** The client is gone: undecided calls do not run. */
  abandon(): void {
    for (const { stop } of this.#running.values()) stop.abort();
  }

  #request(message: RequestMessage): void {
    const key = requestKey(message.id);
    if (this.#open.has(key) || this.#handled.has(key))
      return this.#options.say(
        `the client sent a request under an id that waits for its answer (${key}); it is dropped`,
      );
    const handle = this.#handlers.get(message.method);
    if (handle === undefined) this.#open.forward(message, (answer) => this.#pass(answer));
    else this.#do(handle(message), message);
  }

  /** Whether the client shows forms to its user. Known after its first message. */
  get canAsk(): boolean {
    return this.#questions.canAsk;
  }

  /** Methods that involve hooks. All other methods pass through. */
  readonly #handlers = new Map<string, (message: RequestMessage) => Promise<void>>([
    ['initialize', (message) => this.#initialize(message)],
    ['tools/list', (message) => this.#listTools(message)],
    ['tools/call', (message) => this.#callTool(message)],
    ['tasks/result', (message) => this.#taskResult(message)],
  ]);

  async #initialize(message: RequestMessage): Promise<void> {
    this.#questions.learn(message);
    const asked = this.#open.ask(message);
    this.#naming = asked.then(({ message: { result } }) => this.#learnName(result));
    const answer = await asked;
    const { result } = answer.message;
    if (!isFields(result)) return this.#pass(answer);
    const { protocolVersion, capabilities = {} } = result;
    if (typeof protocolVersion === 'string') this.#options.link.agreedOn?.(protocolVersion);
    this.#hasTools = isFields(capabilities) && capabilities['tools'] !== undefined;
    if (this.#hasTools || !isFields(capabilities) || (await this.#offered).isEmpty) return this.#pass(answer);
    this.#reply(message.id, { result: { ...result, capabilities: { ...capabilities, tools: {} } } });
  }

  #learnName(result: unknown): void {
    const info = isFields(result) ? result['serverInfo'] : undefined;
    if (this.#options.name === undefined && isFields(info) && typeof info['name'] === 'string')
      this.#server = nameInTools(info['name']);
  }

  async #listTools(message: RequestMessage): Promise<void> {
    const offered = await this.#offered;
    const isFirst = paramsOf(message)['cursor'] === undefined;
    if (!this.#hasTools && !offered.isEmpty)
      return this.#reply(message.id, { result: offered.join({ tools: [] }, isFirst) });
    const answer = await this.#open.ask(message);
    const { result } = answer.message;
    const joined = offered.join(result, isFirst);
    if (joined === result) this.#pass(answer);
    else this.#reply(message.id, { result: joined });
  }

  async #callTool(message: RequestMessage): Promise<void> {
    const params = paramsOf(message);
    const { name, arguments: input = {} } = params;
    if (typeof name !== 'string' || !isFields(input))
      return this.#reply(
        message.id,
        rpcFailure(INVALID_PARAMS, 'tools/call needs a name, and arguments as an object'),
      );
    const running: RunningCall = { stop: new AbortController(), isSent: false };
    this.#running.set(requestKey(message.id), running);
    try {
      await this.#naming;
      const offered = (await this.#offered).listed(name);
      if (offered === undefined && this.#options.judged?.consume(this.#server, name, input) === true)
        return this.#open.forward(message, (answer) => this.#pass(answer));
      const call = new HookedCall({
        hooks: await this.#options.hooks,
        questions: this.#questions,
        tool: offered === undefined ? `mcp__${this.#server}__${name}` : name,
        input,
        session: this.#session,
        call: callIdOf(message.id),
        cwd: this.#options.cwd,
        signal: running.stop.signal,
        say: this.#options.say,
      });
      const judged = await call.before();
      if (running.stop.signal.aborted) return;
      if ('refusal' in judged) return this.#reply(message.id, judged.refusal);
      running.isSent = true;
      if (offered !== undefined) {
        const scene = { session: this.#session, cwd: this.#options.cwd, signal: running.stop.signal };
        return this.#reply(message.id, await call.after(await serveOffered(offered, judged.input, scene)));
      }
      await this.#runCall(withArguments(message, params, judged.input), call, running);
    } finally {
      this.#running.delete(requestKey(message.id));
    }
  }

  async #runCall(message: RequestMessage, call: HookedCall, { stop }: RunningCall): Promise<void> {
    const answer = await Promise.race([this.#open.ask(message), aborted(stop.signal)]);
    if (answer === undefined) {
      this.#open.forget(requestKey(message.id));
      return call.interrupted();
    }
    const task = taskIn(answer.message);
    if (task === undefined) await this.#deliver(answer, call);
    else {
      this.#tasks.set(task, call);
      this.#pass(answer);
    }
  }

  async #taskResult(message: RequestMessage): Promise<void> {
    const { taskId } = paramsOf(message);
    const call = this.#tasks.get(String(taskId));
    const answer = await this.#open.ask(message);
    if (call === undefined) this.#pass(answer);
    else await this.#deliver(answer, call);
  }

  async #deliver(answer: ServerAnswer, call: HookedCall): Promise<void> {
    const reply = replyIn(answer.message);
    const after = await call.after(reply);
    if (after === reply) this.#pass(answer);
    else this.#reply(answer.message.id, after);
  }

  /** Whether the server has received the cancelled request. */
  #mayCancel(message: Message): boolean {
    const key = requestKey(paramsOf(message)['requestId'] as MessageId);
    const running = this.#running.get(key);
    running?.stop.abort();
    if (!this.#handled.has(key)) this.#open.forget(key);
    return running?.isSent ?? true;
  }

  /** An error of ours refuses the call. It never lets an unjudged call run and never ends the session. */
  #do(work: Promise<void>, { id, method }: RequestMessage): void {
    const done = work
      .catch((error: unknown) => {
        const text = `anyhook could not judge this call, so it is refused: ${thrownText(error)}`;
        this.#reply(id, method === 'tools/call' ? refusedCall(text) : rpcFailure(CLOSED, text));
      })
      .finally(() => this.#handled.delete(requestKey(id)));
    this.#handled.set(requestKey(id), done);
  }

  #pass({ message, line }: ServerAnswer): void {
    this.#options.write(line ?? JSON.stringify(message));
  }
  #reply(id: MessageId | null, reply: RpcReply): void {
    this.#options.write(JSON.stringify(responseTo(id, reply)));
  }
}

/** JSON-RPC treats the number 1 and the string "1" as different ids. */
const callIdOf = (id: string | number): string =>
  typeof id === 'string' && /^-?[\d.]/.test(id) ? JSON.stringify(id) : String(id);

/** A server's name as agents write it in the names of its tools. */
const nameInTools = (name: string): string => name.replaceAll(/[^\w-]/g, '_');

const refusedCall = (text: string): RpcReply => ({
  result: { content: [{ type: 'text', text }], isError: true },
});

const withArguments = (message: RequestMessage, params: Fields, input: Fields): RequestMessage =>
  same(params['arguments'] ?? {}, input) ? message : { ...message, params: { ...params, arguments: input } };

function taskIn({ result }: Message): string | undefined {
  const task = isFields(result) ? result['task'] : undefined;
  return isFields(task) && typeof task['taskId'] === 'string' ? task['taskId'] : undefined;
}
