/** Returns the most informative argument of a call. */
export function gist(input: Readonly<Record<string, unknown>>): string {
  const [first] = TELLING.flatMap((key) => (typeof input[key] === 'string' ? [input[key]] : []));
  return first ?? JSON.stringify(input);
}
const TELLING = ['command', 'path', 'pattern', 'url', 'prompt', 'description'];
