/**
 * One call of an MCP tool can meet us twice: in the bridge of the agent that makes it, and in the proxy around the server
 * that gets it. The bridge leaves a note of what it let pass; the proxy takes the note, and asks nobody again. A note is
 * for one call, in exactly this form, of this agent in this project, and not for long.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFields } from '../events/fields.ts';
import { mcpName, type McpSpelling } from '../events/mcp-names.ts';
import type { Fields } from '../events/effects.ts';

/** A person may look at the call before the agent makes it. */
const VALID_MS = 10 * 60_000;
const KEPT = 256;

export interface JudgedCalls {
  /** Has the bridge judged this call? Says so once per note. */
  take(server: string, tool: string, input: Fields): boolean;
  /** The proxy ends: nobody takes notes any more. */
  close(): void;
}

interface Whose {
  /** Of all notes. */
  readonly folder: string;
  readonly agent: string;
  readonly project: () => string;
}

/** For the proxy. Where its folder is, bridges of this agent leave notes. `called`: how agents call a server's tool, besides our way. */
export function openJudgedCalls(whose: Whose, called: readonly McpSpelling[]): JudgedCalls {
  const folder = folderOf(whose);
  const own = join(folder, `proxy-${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(own, '', { mode: 0o600 });
  return {
    take(server, tool, input) {
      const wanted = new Set(
        [undefined, ...called].map((words) => keyOf(mcpName({ server, tool }, words), input)),
      );
      return namesIn(folder).some(
        (name) =>
          wanted.has(name.split('.')[0]!) && isFresh(join(folder, name)) && isRemoved(join(folder, name)),
      );
    },
    close() {
      rmSync(own, { force: true });
      if (!namesIn(folder).some((name) => name.startsWith('proxy-')))
        rmSync(folder, { recursive: true, force: true });
      removeEmpty(whose.folder);
    },
  };
}

/** For a bridge: the call may run, in this form. Costs a look at the disk where there is no proxy. */
export function keepJudged(whose: Whose, tool: string, input: Fields): void {
  if (!existsSync(whose.folder)) return;
  const folder = folderOf(whose);
  if (!existsSync(folder)) return;
  const names = namesIn(folder);
  if (names.length > KEPT)
    for (const name of names) if (!isFresh(join(folder, name))) isRemoved(join(folder, name));
  try {
    writeFileSync(join(folder, `${keyOf(tool, input)}.${randomBytes(6).toString('hex')}`), '', {
      mode: 0o600,
    });
  } catch {
    // Then the proxy asks once more.
  }
}

const folderOf = ({ folder, agent, project }: Whose): string => join(folder, hash(`${agent}\0${project()}`));
const keyOf = (tool: string, input: Fields): string => hash(`${tool}\0${JSON.stringify(sorted(input))}`);
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** An agent may write the arguments in another order for its hooks than for the server. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, sorted(one)]);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const isFresh = (file: string): boolean =>
  Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < VALID_MS;

/** Another proxy may be at work in another project. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // not empty
  }
}

/** By us: of two who want one note, one gets it. */
function isRemoved(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}
