/** Names of guarded paths in code of another language. */
import type { Names } from './names.ts';

/** In one piece, or put together from its texts: `'.any' + 'hook'`, `['.any', 'hook'].join('')`, `home / '.config' / 'anyhook'`. */
export function namedIn(code: string, names: Names): boolean {
  if (names.within(code)) return true;
  const whole = code.replaceAll(/(["'`])\s*(?:\+|\.\.?)\s*\1/g, '');
  const texts = [...whole.matchAll(TEXTS)].map(([, , text]) => text!);
  return texts.length > 1 && ['', '/'].some((between) => names.within(texts.join(between)));
}
const TEXTS = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;

/** It acts on a name that it makes out of letters of another kind. What is only written or printed may be made so. */
export const makesNames = (code: string): boolean => MADE_NAMES.test(code);
const MADE_NAMES =
  /\b(?:remove|removedirs|unlink|unlinkSync|rmtree|rmSync|rmdirSync|rm_rf|rename|renameSync|truncate|truncateSync|chmod|chmodSync|system|popen|exec|execSync|spawnSync)\s*\(\s*[^'",)]*(?:b64decode|a85decode|fromhex|unhexlify|rot13|\batob|fromCharCode|\bchr\(|Buffer\.from)/;
