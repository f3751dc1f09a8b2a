/**
 * Reads agents without built-in support that the user has added, one file each, next to the trust store. Unreadable
 * files are ignored.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS, agentOf, isAgentName } from '../agents/index.ts';
import type { Agent } from '../agents/shared/agent.ts';
import { CELLS } from '../agents/shared/cells.ts';
import { agentLike, type StrangeAgent } from '../agents/stranger.ts';
import { isFields } from '../events/fields.ts';
import { textOfFile } from '../settings/read-file.ts';
import type { Folders } from './folders.ts';

type StrangerFolder = Pick<Folders, 'strangers'>;

/** Characters that are safe in a command line, in a file name and after `--host`. */
export const isStrangerName = (name: string): boolean => /^[A-Za-z0-9][\w-]{0,63}$/.test(name);

export const strangerFile = ({ strangers }: StrangerFolder, name: string): string =>
  join(strangers, `${name}.json`);
export const strangerText = (stranger: StrangeAgent): string => `${JSON.stringify(stranger, null, 2)}\n`;

/** Built-in agents, followed by those that the user added. */
export const knownAgents = (folders: StrangerFolder): readonly Agent[] => [
  ...Object.values(AGENTS),
  ...strangersIn(folders).map(agentLike),
];

/** Reads the disk only for names that are not built in. */
export function knownAgent(name: string, folders: () => StrangerFolder): Agent | undefined {
  const known = agentOf(name);
  if (known !== undefined || !isStrangerName(name)) return known;
  const stranger = strangerNamed(folders(), name);
  return stranger && agentLike(stranger);
}

export const strangersIn = (folders: StrangerFolder): readonly StrangeAgent[] =>
  namesIn(folders).flatMap((name) => strangerNamed(folders, name) ?? []);

export function strangerNamed(folders: StrangerFolder, name: string): StrangeAgent | undefined {
  try {
    const read: unknown = JSON.parse(textOfFile(strangerFile(folders, name)) ?? '');
    return isStranger(read) && read.name === name && !isAgentName(name) ? read : undefined;
  } catch {
    return undefined;
  }
}

function namesIn({ strangers }: StrangerFolder): readonly string[] {
  try {
    return readdirSync(strangers).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []);
  } catch {
    return []; // no agent was added
  }
}

function isStranger(value: unknown): value is StrangeAgent {
  if (!isFields(value)) return false;
  const { name, like, into, start, measured } = value;
  return (
    [name, like, into].every((one) => typeof one === 'string') &&
    isStrangerName(String(name)) &&
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
