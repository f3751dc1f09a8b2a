/**
 * Reads agents without built-in support that the user has added, one file each, next to the trust store. Unreadable
 * files are ignored.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentLike, type CustomAgent } from '../agents/custom-agent.ts';
import { AGENTS, agentOf, isAgentName } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import { CELLS } from '../agents/shared/cells.ts';
import { isFields } from '../events/fields.ts';
import { textOfFile } from '../settings/read-file.ts';
import type { Folders } from './folders.ts';

type CustomAgentFolder = Pick<Folders, 'customAgents'>;

/** Characters that are safe in a command line, in a file name and after `--host`. */
export const isCustomAgentName = (name: string): boolean => /^[A-Za-z0-9][\w-]{0,63}$/.test(name);

export const customAgentFile = ({ customAgents }: CustomAgentFolder, name: string): string =>
  join(customAgents, `${name}.json`);
export const customAgentText = (customAgent: CustomAgent): string =>
  `${JSON.stringify(customAgent, null, 2)}\n`;

/** Built-in agents, followed by those that the user added. */
export const knownAgents = (folders: CustomAgentFolder): readonly Agent[] => [
  ...Object.values(AGENTS),
  ...customAgentsIn(folders).map(agentLike),
];

/** Reads the disk only for names that are not built in. */
export function knownAgent(name: string, folders: () => CustomAgentFolder): Agent | undefined {
  const known = agentOf(name);
  if (known !== undefined || !isCustomAgentName(name)) return known;
  const customAgent = customAgentNamed(folders(), name);
  return customAgent && agentLike(customAgent);
}

export const customAgentsIn = (folders: CustomAgentFolder): readonly CustomAgent[] =>
  namesIn(folders).flatMap((name) => customAgentNamed(folders, name) ?? []);

export function customAgentNamed(folders: CustomAgentFolder, name: string): CustomAgent | undefined {
  try {
    const read: unknown = JSON.parse(textOfFile(customAgentFile(folders, name)) ?? '');
    return isCustomAgent(read) && read.name === name && !isAgentName(name) ? read : undefined;
  } catch {
    return undefined;
  }
}

function namesIn({ customAgents }: CustomAgentFolder): readonly string[] {
  try {
    return readdirSync(customAgents).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
  } catch {
    return []; // no agent was added
  }
}

function isCustomAgent(value: unknown): value is CustomAgent {
  if (!isFields(value)) return false;
  const { name, like, into, start, measured } = value;
  return (
    [name, like, into].every((one) => typeof one === 'string') &&
    isCustomAgentName(String(name)) &&
    isAgentName(String(like)) &&
    ['string', 'undefined'].includes(typeof start) &&
    (measured === undefined || isMeasurement(measured))
  );
}

const isMeasurement = (value: unknown): boolean =>
  isFields(value) &&
  typeof value['on'] === 'string' &&
  ['string', 'undefined'].includes(typeof value['version']) &&
  isFields(value['cells']) &&
  CELLS.every((cell) => typeof (value['cells'] as Record<string, unknown>)[cell] === 'boolean');
