/**
 * Limits of the analysis. A text beyond them cannot be judged, so a long text hides no command. The slowest text within them
 * takes a few milliseconds.
 */
export const LONGEST_TEXT = 32 * 1024;
/** All nested texts together. */
export const LONGEST_INSIDE = 8 * 1024;
export const MOST_COMMANDS = 200;
export const DEEPEST_WRAPPING = 8;
/** The words of all commands combine, nested ones included. */
export const MOST_WORDS = 3_000;

/** The same limits for the files that a command runs, all of them together. */
export const LONGEST_SCRIPT = 256 * 1024;
export const MOST_SCRIPT_COMMANDS = 2_000;
export const MOST_SCRIPT_WORDS = 20_000;

/** The parser is linear on ordinary text, but each open bracket may cause another pass over the rest. */
const MOST_PIECES = 1_200;
const DEEPEST_NESTING = 50;
const MOST_EFFORT = 1_000_000;
/** A file has more lines than a command line, and people write it. */
const MORE_IN_SCRIPTS = 16;
const OPENERS = /[({`]|<</g;
const PIECES = /\s\S|[;&|"'$]/g;

/** Why a text is too big to be judged; undefined if it is not. */
export function tooBig(text: string, source: 'line' | 'file' = 'line'): string | undefined {
  const [longest, times] = source === 'line' ? [LONGEST_TEXT, 1] : [LONGEST_SCRIPT, MORE_IN_SCRIPTS];
  if (text.length > longest) return `${text.length} characters, at most ${longest} are judged`;
  const pieces = text.match(PIECES)?.length ?? 0;
  if (pieces > MOST_PIECES * times)
    return `${pieces} words and signs, at most ${MOST_PIECES * times} are judged`;
  const openers = text.match(OPENERS)?.length ?? 0;
  if (openers * text.length > MOST_EFFORT * times)
    return `${openers} brackets in ${text.length} characters are too many to be judged`;
  return isDeep(text) ? `brackets are nested more than ${DEEPEST_NESTING} deep` : undefined;
}

/** Whether brackets and here-documents are nested too deep. Quotes are ignored. */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const [sign] of text.matchAll(
    /[({[]|[)}\]]|<<|\b(?:if|case|for|while|until)\b|\b(?:fi|esac|done)\b/g,
  )) {
    depth = /^(?:[)}\]]|fi|esac|done)$/.test(sign) ? Math.max(0, depth - 1) : depth + 1;
    if (depth > DEEPEST_NESTING) return true;
  }
  return false;
}

/** Replaces a long here-document that is only text, which has no size limit. */
export const CUT = '\uE000';
const LONGEST_BODY = 4 * 1024;
/** Parts of an expanded here-document that may run a command, and continued lines. */
const RUNS_INSIDE = /`|\$[({[]|\\\n/;
const HEAD = /<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n$`\\]+)"|\\(\w+)|(\w+))/y;

/**
 * Removes long here-documents before parsing. It must never remove text that a shell would run, so it stops at the first
 * character that is more than a word, a plain quote or an operator.
 */
export function shortened(text: string): string {
  if (text.length <= LONGEST_BODY) return text;
  let [result, from, at] = ['', 0, 0];
  let waiting: Here[] = [];
  for (; at < text.length && at - from <= LONGEST_TEXT; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      if (end === -1 || (char === '"' && /[\\`]|\$\(/.test(text.slice(at, end)))) break;
      at = end;
    } else if (char === '`' || char === '(' || char === '#' || text.startsWith('${', at)) break;
    else if (char === '<' && text.charAt(at + 1) === '<') {
      HEAD.lastIndex = at;
      const [whole, tabs, single, double, escaped, plain] = HEAD.exec(text) ?? [];
      if (whole === undefined || text.charAt(at + 2) === '<') break;
      const end = single ?? double ?? escaped ?? plain ?? '';
      waiting.push({ end, tabs: tabs === '-', quoted: plain === undefined });
      at += whole.length - 1;
    } else if (char === '\n' && waiting.length > 0) {
      for (const here of waiting) {
        const { end, quoted } = here;
        const start = at + 1;
        const close = closing(text, start, here);
        if (close === undefined) return result + text.slice(from);
        const body = text.slice(start, close);
        if (body.length > LONGEST_BODY && (quoted || !RUNS_INSIDE.test(body))) {
          result += `${text.slice(from, start)}${CUT}\n`;
          from = close;
        }
        at = Math.min(text.length, close + end.length + (text.slice(close).match(/^\t*/)?.[0].length ?? 0));
      }
      waiting = [];
    }
  }
  return result + text.slice(from);
}

interface Here {
  readonly end: string;
  readonly tabs: boolean;
  readonly quoted: boolean;
}

/** The start of the line that ends the here-document. */
function closing(text: string, from: number, { end, tabs }: Here): number | undefined {
  for (let at = from; at < text.length;) {
    const line = text.indexOf('\n', at);
    const stop = line === -1 ? text.length : line;
    const isClosing = tabs
      ? text.endsWith(end, stop) && /^\t*$/.test(text.slice(at, stop - end.length))
      : stop - at === end.length && text.startsWith(end, at);
    if (isClosing) return at;
    at = stop + 1;
  }
  return undefined;
}
