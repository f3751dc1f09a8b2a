/** Named prompts from files (`<name>.md`), from OpenCode settings, and from hooks that changed the settings. */

import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Fields } from 'anyhook';
import { parse } from 'jsonc-parser';
import { isFields } from '../hooks/outcomes.ts';
import type { NamedPrompt } from './config-hooks.ts';

export interface PromptPlaces {
  readonly folders: readonly string[];
  readonly settled: readonly NamedPrompt[];
}

export function promptNamed(name: string, args: string, places: PromptPlaces): string | undefined {
  const prompt = fileNamed(name, places.folders) ?? places.settled.find((one) => one.name === name);
  return prompt && filledIn(prompt.template, args);
}

/** If two prompts share a name, the first one runs. */
export function promptCommands({
  folders,
  settled,
}: PromptPlaces): readonly Pick<NamedPrompt, 'name' | 'description'>[] {
  const names = new Set(folders.flatMap((folder) => namesIn(folder)));
  const files = [...names].flatMap((name) => fileNamed(name, folders) ?? []);
  return [...files, ...settled].map(({ name, description }) => ({ name, description }));
}

const HEAD = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

/** The description is `description` in the front matter, or the first line. */
function fileNamed(name: string, folders: readonly string[]): NamedPrompt | undefined {
  if (!/^[\w:-][\w:.-]*(?:\/[\w:-][\w:.-]*)*$/.test(name)) return undefined;
  for (const folder of folders)
    try {
      const text = readFileSync(join(folder, `${name}.md`), 'utf8');
      const [whole = '', head = ''] = HEAD.exec(text) ?? [];
      const template = text.slice(whole.length);
      const description = /^description:\s*(.+)$/m.exec(head)?.[1]?.replaceAll(/^(["'])(.*)\1\s*$/g, '$2');
      const first = template.trim().split('\n', 1)[0]!.replaceAll('$ARGUMENTS', '…');
      return { name, template, description: (description ?? first).slice(0, 80) };
    } catch {
      // No such file in this folder.
    }
  return undefined;
}

/**
 * `$ARGUMENTS` is everything typed after the name. `$1`, `$2` and so on are its words; the highest number takes the
 * rest, as in OpenCode. Without a placeholder, the arguments are appended.
 */
function filledIn(template: string, args: string): string {
  const words = (args.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/, '$2'),
  );
  const last = Math.max(0, ...[...template.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  if (last === 0 && !template.includes('$ARGUMENTS') && args !== '') return `${template}\n\n${args}`;
  return template.replaceAll(/\$(?:ARGUMENTS|(\d+))/g, (_, n?: string) => {
    if (n === undefined) return args;
    const from = Number(n) - 1;
    return words.slice(from, Number(n) === last ? undefined : from + 1).join(' ');
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.slice(0, -3).split(sep).join('/'))
      .toSorted();
  } catch {
    return []; // No such folder.
  }
}

/** User folders come first, so that a project cannot replace a user's command. */
export const commandFoldersIn = (cwd: string, config: string): string[] => [
  join(config, 'anyhook-agent', 'commands'),
  ...OPENCODES.map((name) => join(config, 'opencode', name)),
  join(cwd, '.anyhook', 'commands'),
  ...OPENCODES.map((name) => join(cwd, '.opencode', name)),
];
const OPENCODES = ['command', 'commands'];

/** `command` in OpenCode settings. Hooks may change it before it applies. */
export function settledIn(cwd: string, config: string): { readonly command?: Fields } {
  const homes = [cwd, join(cwd, '.opencode'), join(config, 'opencode')];
  const found = homes.flatMap((home) =>
    ['opencode.json', 'opencode.jsonc'].flatMap((name) => {
      const document = documentIn(join(home, name));
      return isFields(document) && isFields(document['command']) ? [document['command']] : [];
    }),
  );
  return found.length === 0 ? {} : { command: Object.assign({}, ...found) as Fields };
}

/** The code that reads the hooks of this file reports its errors. */
function documentIn(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'), [], { allowTrailingComma: true });
  } catch {
    return undefined; // No such file.
  }
}
