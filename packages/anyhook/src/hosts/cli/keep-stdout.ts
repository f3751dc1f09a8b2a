/**
 * Modules that run in this process may print, and standard output is for the answer alone: from here on their words go to
 * standard error. What comes back is the way to the real one.
 */
export function keepStdout(): (text: string) => void {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text) => void write(text);
}
