import type { PublishedHooks } from '../dialect/hook-callback.ts';
import { Client, type Message, type UserMessage } from './client.ts';
import type { LooseFields } from './frame.ts';
import { type AnyOptions, clientOptions, type QueryOptions } from './query-options.ts';
import { type SessionRequests, sessionRequests } from './session-requests.ts';

type Prompts = string | AsyncIterable<string | UserMessage>;

/** The messages of a query, and requests to it. Requests are possible at any time, also before the first message. */
export interface Query extends AsyncGenerator<Message, void, void>, SessionRequests {
  /** Sends more prompts, each after the result of the previous one. */
  streamInput(prompts: AsyncIterable<string | UserMessage>): Promise<void>;
  /** Sends `initialize` again with the same hooks. Resolves with the CLI's new answer. */
  reinitialize(): Promise<LooseFields>;
  /** Ends the CLI. */
  close(): void;
}

interface Asked<O> {
  readonly prompt: Prompts;
  readonly options?: O;
}

/** Sends one prompt to a real CLI with our callbacks and yields its messages. The CLI starts at once. */
export function query(asked: Asked<QueryOptions>): Query;
export function query(asked: Asked<QueryOptions<PublishedHooks>>): Query;
export function query(prompt: Prompts, options?: QueryOptions): Query;
export function query(prompt: Prompts, options: QueryOptions<PublishedHooks>): Query;
export function query(asked: Prompts | Asked<AnyOptions>, more: AnyOptions = {}): Query {
  const isPublished = typeof asked === 'object' && 'prompt' in asked;
  const { prompt, options = {} } = isPublished ? asked : { prompt: asked, options: more };
  const settled = clientOptions(options);
  const client = new Client(settled);
  const begun = client.connect();
  const fed = begun.then(() => feed(client, prompt));
  fed.catch(() => void client.close()); // whoever reads the messages gets the error
  const request = async (body: LooseFields & { readonly subtype: string }): Promise<unknown> => {
    await begun;
    return await client.request(body);
  };
  return Object.assign(messagesOf(client, begun, fed, settled.signal), sessionRequests(begun, request), {
    streamInput: async (prompts: AsyncIterable<string | UserMessage>): Promise<void> => {
      await begun;
      await say(client, prompts);
    },
    reinitialize: async (): Promise<LooseFields> => {
      await begun;
      return await client.initialize();
    },
    close: () => void client.close(),
  });
}

async function* messagesOf(
  client: Client,
  begun: Promise<unknown>,
  fed: Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void, void> {
  try {
    await begun;
    for await (const message of client) yield message;
    await fed;
    signal?.throwIfAborted();
  } finally {
    await client.close();
  }
}

async function feed(client: Client, prompt: Prompts): Promise<void> {
  if (typeof prompt === 'string') client.send(prompt);
  else await say(client, prompt);
  client.endInput();
}

/** Prompts are sent one after another. A prompt during a turn may be added to that turn and get no result. */
async function say(client: Client, prompts: AsyncIterable<string | UserMessage>): Promise<void> {
  for await (const message of prompts) {
    await client.answered();
    client.send(message);
  }
}
