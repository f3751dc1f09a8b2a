/** File names that need their folder to be meaningful. */
const TELLS_NOTHING =
  /^(?:index|main|plugin|hook|hooks|mod|src|dist|lib|build|server|extension|extensions)(?:\.\w+)*$/;

/** Returns a display name for an unnamed module: its file, with as many folders as needed. */
export function shortName(file: string): string {
  const parts = file.split(/[\\/]/).filter((part) => part !== '');
  const telling = parts.findLastIndex((part) => !TELLS_NOTHING.test(part));
  return telling === -1 ? file : parts.slice(telling).join('/');
}
