/**
 * Prevents judging one MCP call twice, in the bridge of the agent and in the proxy around the server. The bridge writes
 * a note for each call that it allows, and the proxy consumes the note instead of running the hooks again. A note
 * covers one call with exact arguments, for one agent and project, and expires.
 */

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fields } from '../events/effects.ts';
import { isFields } from '../events/fields.ts';
import { mcpName, type McpSpelling } from '../events/mcp-names.ts';

/** Long enough for a user to confirm the call before the agent makes it. */
const VALID_MS = 10 * 60_000;
const KEPT = 256;

export interface JudgedCalls {
  /** Whether the bridge has judged this call. Consumes the note. */
  consume(server: string, tool: string, input: Fields): boolean;
  /** Called when the proxy ends and no longer reads notes. */
  close(): void;
}

interface Whose {
  /** The folder of all notes. */
  readonly folder: string;
  readonly agent: string;
  readonly project: () => string;
}

/**
 * For the proxy. Bridges of this agent write notes while the proxy's folder exists. `called` lists how agents spell MCP
 * tool names, in addition to our spelling.
 */
export function openJudgedCalls(whose: Whose, called: readonly McpSpelling[]): JudgedCalls {
  const folder = folderOf(whose);
  const own = join(folder, `proxy-${process.pid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(own, '', { mode: 0o600 });
  return {
    consume(server, tool, input) {
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

/** For the bridge: allows the call in this form. Without a proxy this costs one disk lookup. */
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
    // The proxy then runs the hooks once more.
  }
}

const folderOf = ({ folder, agent, project }: Whose): string => join(folder, hash(`${agent}\0${project()}`));
const keyOf = (tool: string, input: Fields): string => hash(`${tool}\0${JSON.stringify(sorted(input))}`);
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** An agent may order the arguments differently for its hooks and for the server. */
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

/** A proxy in another project may still be running. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // not empty
  }
}

/** Whether this process removed the file. If two processes want one note, only one gets it. */
function isRemoved(file: string): boolean {
  try {
    rmSync(file);
    return true;
  } catch {
    return false;
  }
}
