/** Tracks the context at a position in a shell script: outside quotes, inside which quotes, in arithmetic, … */

type Kind = 'plain' | 'double' | 'single' | 'ansi' | 'comment' | 'arithmetic' | 'braces' | 'backticks';
interface Frame {
  readonly kind: Kind;
  /** Open parentheses inside arithmetic. */
  depth: number;
}
export type QuoteState =
  | { readonly kind: 'plain' | 'double'; readonly endsInDollar: boolean }
  | { readonly kind: 'single' | 'ansi' | 'comment' | 'arithmetic'; readonly endsInDollar: false }
  | { readonly kind: 'unsure'; readonly why: string; readonly endsInDollar: false };
export interface QuoteReader {
  /** Reads the next part of the script, in whole tokens. */
  read(part: string): void;
  now(): QuoteState;
}

export const readPosition = (): QuoteReader => new PositionReader();

class PositionReader implements QuoteReader {
  readonly #frames: Frame[] = [{ kind: 'plain', depth: 0 }];
  readonly #seen = { escape: false, dollar: false, hereDocument: false, caseInside: false, before: '' };

  read(part: string): void {
    for (let at = 0; at < part.length;) {
      this.#seen.escape = this.#seen.dollar = false;
      at += this.#readers[this.#top().kind](part.slice(at, at + 16));
      this.#seen.before = part[at - 1] ?? 'x';
    }
  }

  now(): QuoteState {
    const endsInDollar = this.#seen.dollar;
    this.#seen.dollar = false;
    this.#seen.before = 'x';
    const { kind } = this.#top();
    const why = doubt(this.#frames, this.#seen);
    if (why !== undefined) return { kind: 'unsure', why, endsInDollar: false };
    if (kind === 'plain' || kind === 'double') return { kind, endsInDollar };
    return { kind: kind as 'single' | 'ansi' | 'comment' | 'arithmetic', endsInDollar: false };
  }

  /** One reader per kind of text. Returns how many characters were read. */
  readonly #readers: Record<Kind, (rest: string) => number> = {
    plain: (rest) => this.#readPlain(rest),
    double: (rest) => this.#readDollarOrQuote(rest, () => this.#pop()),
    single: (rest) => this.#readUntil("'", rest),
    ansi: (rest) => (rest[0] === '\\' ? this.#readEscape(rest) : this.#readUntil("'", rest)),
    comment: (rest) => this.#readUntil('\n', rest),
    arithmetic: (rest) => this.#readArithmetic(rest),
    braces: (rest) => this.#readUntil('}', rest),
    backticks: (rest) => (rest[0] === '\\' ? this.#readEscape(rest) : this.#readUntil('`', rest)),
  };

  #readPlain(rest: string): number {
    if (rest.startsWith('<<<')) return 3;
    if (rest.startsWith('<<')) this.#seen.hereDocument = true;
    if (rest.startsWith('<<')) return 2;
    if (rest.startsWith("$'")) return this.#push('ansi', 2);
    const char = rest[0]!;
    const isWordStart = /^[\s;|&()]?$/.test(this.#seen.before);
    // After this, a closing parenthesis may belong to a pattern.
    if (isWordStart && this.#frames.length > 1 && /^case\b/.test(rest)) this.#seen.caseInside = true;
    if (char === '#' && isWordStart) return this.#push('comment', 1);
    if (char === "'") return this.#push('single', 1);
    if (rest.startsWith('((')) return this.#push('arithmetic', 2);
    if (char === '(') return this.#push('plain', 1);
    if (char !== ')') return this.#readDollarOrQuote(rest, () => this.#push('double', 1));
    this.#pop();
    return 1;
  }

  #readArithmetic(rest: string): number {
    const frame = this.#top();
    if (frame.depth === 0 && rest.startsWith('))')) {
      this.#pop();
      return 2;
    }
    if (rest[0] === '(') frame.depth++;
    if (rest[0] === ')') frame.depth--;
    return 1;
  }

  #readDollarOrQuote(rest: string, onQuote: () => void): number {
    const char = rest[0]!;
    if (char === '\\') return this.#readEscape(rest);
    if (char === '`') return this.#push('backticks', 1);
    if (rest.startsWith('$((')) return this.#push('arithmetic', 3);
    if (rest.startsWith('$(')) return this.#push('plain', 2);
    if (rest.startsWith('${')) return this.#push('braces', 2);
    if (rest.startsWith('$$')) return 2;
    if (char === '"') onQuote();
    else if (char === '$') this.#seen.dollar = rest.length === 1;
    return 1;
  }

  #readUntil(end: string, rest: string): number {
    if (rest[0] === end) this.#pop();
    return 1;
  }

  #readEscape(rest: string): number {
    this.#seen.escape = rest.length === 1;
    return 2;
  }

  #top(): Frame {
    return this.#frames.at(-1)!;
  }

  /** Opens a frame; `length` is the length of what opens it. */
  #push(kind: Kind, length: number): number {
    this.#frames.push({ kind, depth: 0 });
    return length;
  }

  #pop(): void {
    if (this.#frames.length > 1) this.#frames.pop();
  }
}

function doubt(
  frames: readonly Frame[],
  {
    escape,
    hereDocument,
    caseInside,
  }: { readonly escape: boolean; readonly hereDocument: boolean; readonly caseInside: boolean },
): string | undefined {
  if (escape) return 'after a backslash';
  if (hereDocument) return 'in or after a here-document';
  if (frames.some(({ kind }) => kind === 'backticks')) return 'between backticks';
  if (frames.some(({ kind }) => kind === 'braces')) return 'inside ${…} of the shell';
  if (caseInside) return 'after "case" inside parentheses';
  return undefined;
}
