/** Stream rules: a pattern and a text for the model. Each rule fires once per prompt, so that it cannot loop. */

import type { Fields } from 'anyhook';
import { RE2JS } from 're2js';
import type { Settings } from './settings.ts';

export interface StreamRules {
  /** Returns rules that match and have not fired for this prompt. */
  matching(text: string): readonly Fields[];
  spoke(rules: readonly Fields[]): void;
}
/** Maximum number of trailing characters to search; earlier text was searched before. */
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

/** Runs in linear time, so that the pattern of a project cannot hang the agent. Throws for an unsupported pattern. */
export function compileRule(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern);
  return (text) => compiled.matcher(text).find();
}
