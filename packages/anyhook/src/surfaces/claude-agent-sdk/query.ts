import { Client, type ClientOptions, type Message, type UserMessage } from './client.ts';

export type QueryOptions = ClientOptions;

/** One question to a real CLI with our callbacks in it; yields what it says until it is done. */
export async function* query(
  prompt: string | AsyncIterable<string | UserMessage>,
  options: QueryOptions = {},
): AsyncGenerator<Message, void, void> {
  const client = new Client(options);
  try {
    await client.connect();
    const fed = feed(client, prompt);
    fed.catch(() => void client.close()); // it is rethrown below
    for await (const message of client) yield message;
    await fed;
    options.signal?.throwIfAborted();
  } finally {
    await client.close();
  }
}

async function feed(client: Client, prompt: string | AsyncIterable<string | UserMessage>): Promise<void> {
  if (typeof prompt === 'string') client.send(prompt);
  else for await (const message of prompt) client.send(message);
  client.endInput();
}
