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

export function readPosition(): QuoteReader {
  const frames: Frame[] = [{ kind: 'plain', depth: 0 }];
  const push = (kind: Kind) => void frames.push({ kind, depth: 0 });
  const pop = () => void (frames.length > 1 && frames.pop());
  const top = () => frames.at(-1)!;
  const seen = { escape: false, dollar: false, hereDocument: false, caseInside: false, before: '' };

  /** Returns how many characters were read. */
  const readers: Record<Kind, (rest: string) => number> = {
    plain(rest) {
      if (rest.startsWith('<<<')) return 3;
      if (rest.startsWith('<<')) seen.hereDocument = true;
      if (rest.startsWith('<<')) return 2;
      if (rest.startsWith("$'")) return (push('ansi'), 2);
      const char = rest[0]!;
      const isWordStart = /^[\s;|&()]?$/.test(seen.before);
      // After this, a closing parenthesis may belong to a pattern.
      if (isWordStart && frames.length > 1 && /^case\b/.test(rest)) seen.caseInside = true;
      if (char === '#' && isWordStart) push('comment');
      else if (char === "'") push('single');
      else if (rest.startsWith('((')) return (push('arithmetic'), 2);
      else if (char === '(') push('plain');
      else if (char === ')') pop();
      else return dollarOrQuote(rest, () => push('double'));
      return 1;
    },
    double: (rest) => dollarOrQuote(rest, pop),
    single: (rest) => (rest[0] === "'" && pop(), 1),
    ansi(rest) {
      if (rest[0] === '\\') return escaped(rest);
      return (rest[0] === "'" && pop(), 1);
    },
    comment: (rest) => (rest[0] === '\n' && pop(), 1),
    arithmetic(rest) {
      const frame = top();
      if (frame.depth === 0 && rest.startsWith('))')) return (pop(), 2);
      if (rest[0] === '(') frame.depth++;
      if (rest[0] === ')') frame.depth--;
      return 1;
    },
    braces: (rest) => (rest[0] === '}' && pop(), 1),
    backticks(rest) {
      if (rest[0] === '\\') return escaped(rest);
      return (rest[0] === '`' && pop(), 1);
    },
  };
  const escaped = (rest: string): number => ((seen.escape = rest.length === 1), 2);
  const dollarOrQuote = (rest: string, onQuote: () => void): number => {
    const char = rest[0]!;
    if (char === '\\') return escaped(rest);
    if (char === '"') onQuote();
    else if (char === '`') push('backticks');
    else if (rest.startsWith('$((')) return (push('arithmetic'), 3);
    else if (rest.startsWith('$(')) return (push('plain'), 2);
    else if (rest.startsWith('${')) return (push('braces'), 2);
    else if (rest.startsWith('$$')) return 2;
    else if (char === '$') seen.dollar = rest.length === 1;
    return 1;
  };

  return {
    read(part) {
      for (let at = 0; at < part.length;) {
        seen.escape = seen.dollar = false;
        at += readers[top().kind](part.slice(at, at + 16));
        seen.before = part[at - 1] ?? 'x';
      }
    },
    now() {
      const endsInDollar = seen.dollar;
      seen.dollar = false;
      seen.before = 'x';
      const { kind } = top();
      const why = doubt(frames, seen);
      if (why !== undefined) return { kind: 'unsure', why, endsInDollar: false };
      if (kind === 'plain' || kind === 'double') return { kind, endsInDollar };
      return { kind: kind as 'single' | 'ansi' | 'comment' | 'arithmetic', endsInDollar: false };
    },
  };
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
