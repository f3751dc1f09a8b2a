import { Client, type Message, type UserMessage } from './client.ts';
import type { PublishedHooks } from '../../dialects/claude-agent-sdk/hook-callback.ts';
import { type AnyOptions, clientOptions, type QueryOptions } from './query-options.ts';

type Prompts = string | AsyncIterable<string | UserMessage>;

/** What a query yields, and what can be said to it meanwhile. */
export interface Query extends AsyncGenerator<Message, void, void> {
  /** Stops the turn, not the session. */
  interrupt(): Promise<void>;
  setModel(model?: string): Promise<void>;
  setPermissionMode(mode: string): Promise<void>;
  /** Ends the CLI. */
  close(): void;
}

interface Asked<O> {
  readonly prompt: Prompts;
  readonly options?: O;
}

/** One question to a real CLI with our callbacks in it; yields what it says until it is done. */
export function query(asked: Asked<QueryOptions>): Query;
export function query(asked: Asked<QueryOptions<PublishedHooks>>): Query;
export function query(prompt: Prompts, options?: QueryOptions): Query;
export function query(prompt: Prompts, options: QueryOptions<PublishedHooks>): Query;
export function query(asked: Prompts | Asked<AnyOptions>, more: AnyOptions = {}): Query {
  const isPublished = typeof asked === 'object' && 'prompt' in asked;
  const { prompt, options = {} } = isPublished ? asked : { prompt: asked, options: more };
  const settled = clientOptions(options);
  const client = new Client(settled);
  return Object.assign(messagesOf(client, prompt, settled.signal), {
    interrupt: () => client.interrupt(),
    setModel: (model?: string) =>
      client.request({ subtype: 'set_model', ...(model !== undefined && { model }) }),
    setPermissionMode: (mode: string) => client.request({ subtype: 'set_permission_mode', mode }),
    close: () => void client.close(),
  });
}

async function* messagesOf(
  client: Client,
  prompt: Prompts,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void, void> {
  try {
    await client.connect();
    const fed = feed(client, prompt);
    fed.catch(() => void client.close()); // it is rethrown below
    for await (const message of client) yield message;
    await fed;
    signal?.throwIfAborted();
  } finally {
    await client.close();
  }
}

/** One after the other: a prompt that comes while the CLI works may be taken into that turn, and would get no result. */
async function feed(client: Client, prompt: Prompts): Promise<void> {
  if (typeof prompt === 'string') client.send(prompt);
  else
    for await (const message of prompt) {
      await client.answered();
      client.send(message);
    }
  client.endInput();
}
