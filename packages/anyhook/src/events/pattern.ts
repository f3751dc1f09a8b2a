/**
 * Compiles patterns from settings files. They behave like `RegExp.prototype.test` but cannot hang the
 * program.
 */

import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import type { RE2JS } from 're2js';
import { linearForm } from './linear.ts';

export interface Pattern {
  readonly source: string;
  readonly test: (subject: string) => boolean;
  /** How the pattern runs. Only `limited` takes more than linear time, and it has a time limit. */
  readonly engine: 'words' | 're2' | 'limited';
}

const LONGEST = 512;
/**
 * Tried twice, because on a busy machine the first limit may pass before the pattern gets any processor time.
 */
const NATIVE_LIMITS_MS = [50, 200];
const HALVES = /[\ud800-\udfff]/;
const WORDS = /^[\w-]+(?:\|[\w-]+)*$/;
/** Loaded for the first real pattern; most matchers are plain words. */
const re2 = () => createRequire(import.meta.url)('re2js') as { RE2JS: typeof RE2JS };

/** Throws a SyntaxError with the reason. */
export function compilePattern(source: string): Pattern {
  if (source.length > LONGEST)
    throw new SyntaxError(`the pattern has ${source.length} characters, the limit is ${LONGEST}`);
  if (WORDS.test(source)) {
    const words = source.split('|');
    return { source, engine: 'words', test: (subject) => words.some((word) => subject.includes(word)) };
  }
  const native = new RegExp(source); // defines the meaning, and throws for an invalid pattern
  const cutOff = limited(native);
  const linear = linearMatch(source);
  if (linear === null) return { source, engine: 'limited', test: cutOff };
  // For characters beyond U+FFFF, JavaScript matches each UTF-16 unit separately and re2 the whole character.
  // Such subjects go to JavaScript.
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
    return null; // too large for re2, or not supported by it
  }
}

/**
 * Look-around and back-references have no linear form. They run natively with a time limit. A timeout counts
 * as a match, because running a guard needlessly is safer than skipping it.
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
        // timed out
      }
    if (known.size > 1000) known.clear();
    if (subject.length <= LONGEST) known.set(subject, found); // prompts are not cached
    return found;
  };
}
