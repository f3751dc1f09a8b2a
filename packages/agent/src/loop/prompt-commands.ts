/**
 * Prompts with a name: as files, `<name>.md`, and as hooks wrote them into the settings. `$ARGUMENTS` in one is what was typed
 * behind its name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedPrompt } from './config-hooks.ts';

export interface PromptPlaces {
  readonly folders: readonly string[];
  readonly settled: readonly NamedPrompt[];
}

export function promptNamed(
  name: string,
  args: string,
  { folders, settled }: PromptPlaces,
): string | undefined {
  const inSettings = settled.find((prompt) => prompt.name === name);
  return fileCommand(name, args, folders) ?? (inSettings && filledIn(inSettings.template, args));
}

export const promptCommands = ({ folders, settled }: PromptPlaces) => [...fileCommands(folders), ...settled];

function fileCommand(name: string, args: string, folders: readonly string[]): string | undefined {
  if (!/^[\w:-]+$/.test(name)) return undefined;
  for (const folder of folders)
    try {
      return filledIn(readFileSync(join(folder, `${name}.md`), 'utf8'), args);
    } catch {
      // not here
    }
  return undefined;
}

const filledIn = (template: string, args: string): string => template.replaceAll('$ARGUMENTS', () => args);

/** All of them, each with its first line. */
function fileCommands(
  folders: readonly string[],
): readonly { readonly name: string; readonly description: string }[] {
  const names = folders.flatMap((folder) => namesIn(folder));
  return [...new Set(names)].flatMap((name) => {
    const text = fileCommand(name, '…', folders)?.trim();
    return text === undefined ? [] : [{ name, description: text.split('\n', 1)[0]!.slice(0, 80) }];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [name.slice(0, -3)] : []));
  } catch {
    return []; // there is none
  }
}

/** The person's own come first: a project cannot take a name that they use. */
export const commandFoldersIn = (cwd: string, config: string): string[] => [
  join(config, 'anyhook-agent', 'commands'),
  join(cwd, '.anyhook', 'commands'),
];
