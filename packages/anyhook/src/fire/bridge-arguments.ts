/** The arguments of the client that `install` adds to an agent: docs/reference/protocol.md. */

import { parseArgs } from 'node:util';
import { AGENT_NAMES } from '../agents/index.ts';
import { nearOrAll, UsageError } from '../console/usage.ts';
import { foldersOf, locationsOf } from '../gather/folders.ts';
import { knownAgent } from '../gather/known-agents.ts';
import type { Caller } from './answer.ts';
import { dialectOf, type FireArguments } from './arguments.ts';

const DEFAULT_DEADLINE_MS = 590_000;

export interface BridgeArguments extends FireArguments {
  readonly deadlineMs: number;
  /** The client runs the event directly because the daemon did not answer. */
  readonly isDaemonUnresponsive: boolean;
}

export function bridgeArguments(args: readonly string[], { env, cwd }: Caller): BridgeArguments {
  const { values, positionals } = parsed(args);
  const [name, ...rest] = positionals;
  if (name === undefined) throw new UsageError('bridge: which agent? For example: anyhook bridge codex');
  if (rest.length > 0) throw new UsageError(`bridge: unexpected argument ${JSON.stringify(rest[0])}`);
  const agent = knownAgent(name, () => foldersOf(locationsOf({ cwd, env })));
  const dialect = values.as ?? agent?.dialect;
  if (dialect === undefined)
    throw new UsageError(`bridge: unknown agent ${JSON.stringify(name)}; ${nearOrAll(name, AGENT_NAMES)}`);
  const deadlineMs = Number(values['deadline-ms'] ?? DEFAULT_DEADLINE_MS);
  if (!(deadlineMs > 0))
    throw new UsageError(
      `bridge: --deadline-ms must be a positive number, not ${JSON.stringify(values['deadline-ms'])}`,
    );
  return {
    dialect: dialectOf(dialect),
    host: { name },
    deadlineMs,
    strict: values.strict,
    json: false,
    hashes: [],
    isDaemonUnresponsive: values.daemon === 'unresponsive',
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        // For an agent that was installed with `install --like`.
        as: { type: 'string' },
        strict: { type: 'boolean', default: false },
        'deadline-ms': { type: 'string' },
        // Read by the client alone.
        'on-failure': { type: 'string' },
        daemon: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(`bridge: ${(error as Error).message}`);
  }
}
