/** Patterns from settings files, with the meaning of `RegExp.prototype.test`, that cannot hang whoever wrote them. */
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import type { RE2JS } from 're2js';
import { linearForm } from './linear.ts';

export interface Pattern {
  readonly source: string;
  readonly test: (subject: string) => boolean;
  /** How it runs: only `limited` costs more than linear time, and it is cut off. */
  readonly engine: 'words' | 're2' | 'limited';
}

const LONGEST = 512;
/** Tried twice: on a busy machine the first limit can pass before the pattern got any processor time. */
const NATIVE_LIMITS_MS = [50, 200];
const HALVES = /[\ud800-\udfff]/;
const WORDS = /^[\w-]+(?:\|[\w-]+)*$/;
/** Loaded when the first real pattern is met: most matchers are words. */
const re2 = () => createRequire(import.meta.url)('re2js') as { RE2JS: typeof RE2JS };

/** Throws a SyntaxError that says what is wrong with the pattern. */
export function compilePattern(source: string): Pattern {
  if (source.length > LONGEST)
    throw new SyntaxError(`the pattern has ${source.length} characters, at most ${LONGEST} are taken`);
  if (WORDS.test(source)) {
    const words = source.split('|');
    return { source, engine: 'words', test: (subject) => words.some((word) => subject.includes(word)) };
  }
  const native = new RegExp(source); // the meaning people expect; throws for what is no pattern at all
  const cutOff = limited(native);
  const linear = linearMatch(source);
  if (linear === null) return { source, engine: 'limited', test: cutOff };
  // In characters beyond U+FFFF JavaScript matches each half (a UTF-16 unit) by itself, re2 the whole: those go to JavaScript.
  return {
    source,
    engine: 're2',
    test: (subject) => (HALVES.test(subject) ? cutOff(subject) : linear(subject)),
  };
}

function linearMatch(source: string): ((subject: string) => boolean) | null {
  const form = linearForm(source);
  if (form === null) return null;
  try {
    const compiled = re2().RE2JS.compile(form);
    return (subject) => compiled.matcher(subject).find();
  } catch {
    return null; // too large for it, or not in its grammar
  }
}

/**
 * Look-around and back-references have no linear form. They run natively, and are cut off: an answer that did not come
 * in time counts as a match, because a guard that is run in vain is better than one that was skipped.
 */
let script: Script | undefined;
function limited(pattern: RegExp): (subject: string) => boolean {
  const known = new Map<string, boolean>();
  return (subject) => {
    const before = known.get(subject);
    if (before !== undefined) return before;
    let found = true;
    for (const timeout of NATIVE_LIMITS_MS)
      try {
        const box = createContext({ pattern: new RegExp(pattern), subject });
        script ??= new Script('pattern.test(subject)');
        found = Boolean(script.runInContext(box, { timeout }));
        break;
      } catch {
        // cut off
      }
    if (known.size > 1000) known.clear();
    if (subject.length <= LONGEST) known.set(subject, found); // a prompt is looked at and forgotten
    return found;
  };
}
