import { existsSync, readFileSync } from 'node:fs';
import { release, type } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Talk } from './talk.ts';

/** In parts: hooks may change, add or take away one of them. */
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

/** What a project has to say to every agent. */
const PROJECTS_OWN = ['AGENTS.md', 'CLAUDE.md'];

/** From the repository's root down to here: what is nearer is said later. Without a repository, here alone. */
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

/** The project's own, and those that hooks named in the settings; one that cannot be read, or says the same again, says nothing. */
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
