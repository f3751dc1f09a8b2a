/** Rules that watch the stream: a pattern and a text. Each speaks once per prompt, so that a rule cannot loop. */
import type { Fields } from 'anyhook';
import { RE2JS } from 're2js';
import type { Settings } from './settings.ts';

export interface StreamRules {
  /** Rules that fit and have not spoken yet. */
  matching(text: string): readonly Fields[];
  spoke(rules: readonly Fields[]): void;
}
/** Looked at with every piece of the stream: what lies further back has been seen. */
const LOOKED_AT = 20_000;

export function streamRules(rules: Settings['streamRules']): StreamRules {
  const left = new Map(rules.map((rule) => [rule as Fields, compileRule(rule.pattern)]));
  return {
    matching(text) {
      const end = text.slice(-LOOKED_AT);
      return [...left].flatMap(([rule, fits]) => (fits(end) ? [rule] : []));
    },
    spoke: (spoken) => spoken.forEach((rule) => left.delete(rule)),
  };
}

/** In linear time, whoever wrote it: a project's pattern must not be able to hang the agent. Throws for what it cannot say. */
export function compileRule(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (text) => compiled.matcher(text).find();
}
