/** Names that say nothing without the folder that they lie in. */
const TELLS_NOTHING =
  /^(?:index|main|plugin|hook|hooks|mod|src|dist|lib|build|server|extension|extensions)(?:\.\w+)*$/;

/** What people call a module that nobody named: its file, with as many folders as it takes to know it. */
export function shortName(file: string): string {
  const parts = file.split(/[\\/]/).filter((part) => part !== '');
  const telling = parts.findLastIndex((part) => !TELLS_NOTHING.test(part));
  return telling === -1 ? file : parts.slice(telling).join('/');
}
