/** Draws a message of a hook module with the renderer of that module, or as plain text. */

import type { OfferedRenderer } from 'anyhook';
import { safe, safeLine } from 'anyhook/views';
import { type Component, Text, truncateToWidth } from './packed-pi-tui.ts';
import type { Theme } from './theme.ts';

interface Terms {
  readonly theme: Theme;
  readonly redraw: () => void;
}

export class DrawnMessage implements Component {
  readonly #message: Readonly<Record<string, unknown>>;
  readonly #renderer: OfferedRenderer | undefined;
  readonly #terms: Terms;
  readonly #plain: Text;
  #isExpanded = false;
  /** The width and state that the cached lines are for. */
  #asked = '';
  #lines: readonly string[] | undefined;

  constructor(
    message: Readonly<Record<string, unknown>>,
    renderer: OfferedRenderer | undefined,
    terms: Terms,
  ) {
    this.#message = message;
    this.#renderer = renderer;
    this.#terms = terms;
    const { theme } = terms;
    this.#plain = new Text(safe(contentText(message)), 1, 0, (line) => theme.bg('customMessageBg', line));
  }
  expand(isExpanded: boolean): void {
    this.#isExpanded = isExpanded;
  }
  invalidate(): void {
    this.#asked = '';
    this.#plain.invalidate();
  }
  render(width: number): string[] {
    if (this.#renderer === undefined) return this.#plain.render(width);
    const key = `${width} ${this.#isExpanded}`;
    if (this.#asked !== key) {
      this.#asked = key;
      void this.#ask(this.#renderer, width, key);
    }
    // Renderers may run in another process. Show plain text until the lines arrive.
    return this.#lines?.map((line) => truncateToWidth(line, width)) ?? this.#plain.render(width);
  }

  async #ask(renderer: OfferedRenderer, width: number, key: string): Promise<void> {
    try {
      const lines = await renderer.render(this.#message, { width, expanded: this.#isExpanded });
      if (this.#asked !== key) return;
      this.#lines = lines?.map(safeLine); // A renderer may use colours, but no sequences for the clipboard or the cursor.
    } catch {
      this.#lines = undefined; // The engine has reported the error. Show plain text.
    }
    this.#terms.redraw();
  }
}

function contentText({ content }: Readonly<Record<string, unknown>>): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content) ?? '';
  return content
    .flatMap((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part ? [String(part.text)] : [],
    )
    .join('\n');
}
