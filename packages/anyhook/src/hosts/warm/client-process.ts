/** Whose event it is: the environment and the folder of the process that asks, as the system knows them. */
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { type AncestorMemory, ancestors } from '../../assembly/ancestors.ts';
import { nestingOf } from '../../assembly/depth-limit.ts';
import { type TraceHeaders, traceHeadersIn } from '../../canon/trace.ts';
import { statOf } from './owner.ts';
import type { WarmRequest } from './wire.ts';

export interface ClientProcess {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Of this one event: not part of the environment that a session's process is kept for. */
  readonly trace?: TraceHeaders;
}

/** An agent is above all of its events. */
const above: AncestorMemory = new Map();

/**
 * Undefined for a process that is not this user's, is gone, or has variables that are no text; and for one that was not started
 * with these words by that parent: seen from another pid namespace, its number is somebody else's.
 */
export function clientProcess({
  pid,
  parent,
  argv,
}: Pick<WarmRequest, 'pid' | 'parent' | 'argv'>): ClientProcess | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return undefined;
    // As words of their own, or within the line that a shell was given.
    const started = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    if (!started.includes(`fire ${argv.join(' ')}`)) return undefined;
    if (statOf(pid)[1] !== String(parent)) return undefined;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      readFileSync(`/proc/${pid}/environ`),
    );
    const env: Record<string, string> = {};
    for (const pair of text.split('\0')) {
      const at = pair.indexOf('=');
      if (at > 0 && !Object.hasOwn(env, pair.slice(0, at))) env[pair.slice(0, at)] = pair.slice(at + 1);
    }
    const { TRACEPARENT: _parent, TRACESTATE: _state, ...lasting } = env;
    const trace = traceHeadersIn(env);
    return {
      env: { ...lasting, ...nestingOf(env, ancestors(parent, above)) } as ClientProcess['env'],
      cwd: readlinkSync(`/proc/${pid}/cwd`),
      ...(trace !== undefined && { trace }),
    };
  } catch {
    return undefined;
  }
}
