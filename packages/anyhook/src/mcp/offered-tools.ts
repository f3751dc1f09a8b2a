/** Adds tools of hooks to those of the server. A server tool wins over a hook's tool of the same name. */

import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';
import type { OfferedTool, ToolCallScene } from '../events/offers.ts';
import type { RpcReply } from './message.ts';

export class OfferedTools {
  readonly #offered: readonly OfferedTool[];
  readonly #say: (text: string) => void;
  /** Names of the server's tools, as far as its list was read. */
  #names = new Set<string>();
  /** Tools of hooks that the client was shown. Only these are served. */
  readonly #listed = new Map<string, OfferedTool>();

  constructor(offered: readonly OfferedTool[], say: (text: string) => void) {
    [this.#offered, this.#say] = [offered, say];
  }

  get isEmpty(): boolean {
    return this.#offered.length === 0;
  }

  /** A page of the server's list. Our tools follow the last page. */
  join(result: unknown, isFirst: boolean): unknown {
    if (this.isEmpty || !isFields(result) || !Array.isArray(result['tools'])) return result;
    if (isFirst) this.#names = new Set();
    for (const tool of result['tools'] as readonly unknown[])
      if (isFields(tool) && typeof tool['name'] === 'string') this.#names.add(tool['name']);
    if (typeof result['nextCursor'] === 'string') return result;
    return { ...result, tools: [...(result['tools'] as readonly unknown[]), ...this.#definitions()] };
  }

  listed(name: string): OfferedTool | undefined {
    return this.#listed.get(name);
  }

  #definitions(): Fields[] {
    this.#listed.clear();
    for (const tool of this.#offered) {
      const { name, origin } = tool;
      if (this.#names.has(name) || this.#listed.has(name))
        this.#say(
          `the tool '${name}' of ${origin.file}:${origin.line} is not offered: there is one of that name`,
        );
      else this.#listed.set(name, tool);
    }
    return [...this.#listed.values()].map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: 'object' },
    }));
  }
}

/** Like a server, returns an error as a result. */
export async function serveOffered(
  tool: OfferedTool,
  input: Fields,
  scene: ToolCallScene,
): Promise<RpcReply> {
  try {
    const { output } = await tool.execute(input, scene);
    return { result: { content: [{ type: 'text', text: output }] } };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { result: { content: [{ type: 'text', text }], isError: true } };
  }
}
