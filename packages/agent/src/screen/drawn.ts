/** A message of a hook module, drawn by the renderer that came with it; without one, as plain text. */
import { type Component, Text, truncateToWidth } from './packed-pi-tui.ts';
import type { OfferedRenderer } from 'anyhook';
import { safe, safeLine } from 'anyhook/views';
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
  /** For which width and state the lines below are. */
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
    // Renderers may live in another process: until the lines are here, the text is.
    return this.#lines?.map((line) => truncateToWidth(line, width)) ?? this.#plain.render(width);
  }

  async #ask(renderer: OfferedRenderer, width: number, key: string): Promise<void> {
    try {
      const lines = await renderer.render(this.#message, { width, expanded: this.#isExpanded });
      if (this.#asked !== key) return;
      this.#lines = lines?.map(safeLine); // a renderer may colour; the clipboard and the cursor are not its own
    } catch {
      this.#lines = undefined; // the engine has reported it; the text can still be read
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
