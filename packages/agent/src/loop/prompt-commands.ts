/** Prompts with a name: as files, `<name>.md`, in OpenCode's settings, and as hooks wrote them into the settings. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parse } from 'jsonc-parser';
import type { Fields } from 'anyhook';
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

/** Of two with one name the first is the one that runs. */
export function promptCommands({
  folders,
  settled,
}: PromptPlaces): readonly Pick<NamedPrompt, 'name' | 'description'>[] {
  const names = new Set(folders.flatMap((folder) => namesIn(folder)));
  const files = [...names].flatMap((name) => fileNamed(name, folders) ?? []);
  return [...files, ...settled].map(({ name, description }) => ({ name, description }));
}

const HEAD = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/;

/** What is said of it: `description` in its head, or its first line. */
function fileNamed(name: string, folders: readonly string[]): NamedPrompt | undefined {
  if (!/^[\w:-][\w:.-]*(?:\/[\w:-][\w:.-]*)*$/.test(name)) return undefined;
  for (const folder of folders)
    try {
      const text = readFileSync(join(folder, `${name}.md`), 'utf8');
      const [whole = '', head = ''] = HEAD.exec(text) ?? [];
      const template = text.slice(whole.length);
      const said = /^description:\s*(.+)$/m.exec(head)?.[1]?.replaceAll(/^(["'])(.*)\1\s*$/g, '$2');
      const first = template.trim().split('\n', 1)[0]!.replaceAll('$ARGUMENTS', '…');
      return { name, template, description: (said ?? first).slice(0, 80) };
    } catch {
      // not here
    }
  return undefined;
}

/**
 * What was typed behind the name is `$ARGUMENTS`, its words are `$1` and so on, the last of which takes all that are left, as
 * in OpenCode. A template with a place for none of it has it at its end.
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
    return []; // there is none
  }
}

/** The person's own come first: a project cannot take a name that they use. */
export const commandFoldersIn = (cwd: string, config: string): string[] => [
  join(config, 'anyhook-agent', 'commands'),
  ...OPENCODES.map((name) => join(config, 'opencode', name)),
  join(cwd, '.anyhook', 'commands'),
  ...OPENCODES.map((name) => join(cwd, '.opencode', name)),
];
const OPENCODES = ['command', 'commands'];

/** `command` in OpenCode's settings: hooks see it, and may change it, before it counts. */
export function settledIn(cwd: string, config: string): { readonly command?: Fields } {
  const homes = [cwd, join(cwd, '.opencode'), join(config, 'opencode')];
  const found = homes.flatMap((home) =>
    ['opencode.json', 'opencode.jsonc'].flatMap((name) => {
      const said = documentIn(join(home, name));
      return isFields(said) && isFields(said['command']) ? [said['command']] : [];
    }),
  );
  return found.length === 0 ? {} : { command: Object.assign({}, ...found) as Fields };
}

/** What is wrong with it is said where its hooks are read. */
function documentIn(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'), [], { allowTrailingComma: true });
  } catch {
    return undefined; // there is none
  }
}
