/** Tools that hooks bring, beside those of the server. The server's own come first: a name that it has stays its own. */
import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';
import type { OfferedTool, ToolCallScene } from '../events/offers.ts';
import type { RpcReply } from './message.ts';

export class OfferedTools {
  readonly #offered: readonly OfferedTool[];
  readonly #say: (text: string) => void;
  /** Of the server, as far as its list was shown. */
  #names = new Set<string>();
  /** What the client was shown: only that is ours to serve. */
  readonly #listed = new Map<string, OfferedTool>();

  constructor(offered: readonly OfferedTool[], say: (text: string) => void) {
    [this.#offered, this.#say] = [offered, say];
  }

  get isEmpty(): boolean {
    return this.#offered.length === 0;
  }

  /** A page of the server's list, with ours behind the last one. */
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

/** As a server answers: what went wrong is a result that says so. */
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
