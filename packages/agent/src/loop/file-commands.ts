/** Commands as files: `<name>.md` is a prompt, `$ARGUMENTS` in it is what was typed behind the name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function fileCommand(name: string, args: string, folders: readonly string[]): string | undefined {
  if (!/^[\w:-]+$/.test(name)) return undefined;
  for (const folder of folders)
    try {
      return readFileSync(join(folder, `${name}.md`), 'utf8').replaceAll('$ARGUMENTS', () => args);
    } catch {
      // not here
    }
  return undefined;
}

/** The person's own come first: a project cannot take a name that they use. */
export const commandFoldersIn = (cwd: string, config: string): string[] => [
  join(config, 'anyhook-agent', 'commands'),
  join(cwd, '.anyhook', 'commands'),
];
