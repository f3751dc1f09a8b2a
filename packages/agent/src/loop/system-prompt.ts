import { existsSync, readFileSync } from 'node:fs';
import { release, type } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Talk } from './talk.ts';

/** In parts, so that hooks can change, add or remove single ones. */
export const systemPrompt = ({ life, agent }: Pick<Talk, 'life' | 'agent'>): string[] => [
  life.hooked.agents.find(({ name }) => name === agent?.type)?.prompt ?? ownWords(agent?.type),
  `Working folder: ${life.cwd}\nSystem: ${type()} ${release()}\nToday: ${new Date().toISOString().slice(0, 10)}`,
  ...[
    ...new Set([
      ...foldersOf(life.cwd).flatMap((folder) => PROJECTS_OWN.map((file) => join(folder, file))),
      ...life.hooked.instructions.map((file) => resolve(life.cwd, file)),
    ]),
  ].flatMap((file, at, all) => instructionsIn(file, all.slice(0, at))),
];

/** Instruction files of a project. */
const PROJECTS_OWN = ['AGENTS.md', 'CLAUDE.md'];

/**
 * From the root of the repository down to the working folder, so that the nearest comes last. Outside a repository,
 * only the working folder.
 */
function foldersOf(cwd: string): string[] {
  const above: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    above.unshift(folder);
    if (existsSync(join(folder, '.git'))) return above;
    if (dirname(folder) === folder) return [cwd];
  }
}

const ownWords = (agent: string | undefined): string =>
  `You are a coding agent in a person's project${agent === undefined ? '' : `, working as the subagent '${agent}'`}. ` +
  'Use the tools to read, change and run things; do not guess what a file holds. Make the smallest change that does ' +
  'what was asked, check it, and say in a few plain words what you did. Messages in <context> come from the ' +
  "person's own hooks: take them into account without mentioning them. When a call was blocked, read the reason, " +
  'do not try to get around it, and find another way or say that there is none.';

/**
 * Instructions of the project, and files that hooks named in the settings. Unreadable files and duplicates are
 * skipped.
 */
function instructionsIn(file: string, before: readonly string[]): string[] {
  const text = textIn(file);
  if (text.trim() === '' || before.some((other) => textIn(other) === text)) return [];
  return [`Instructions from ${file}:\n${text}`];
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
