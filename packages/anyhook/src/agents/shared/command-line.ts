/** The line by which an agent starts us, and how such a line is known again. */
import type { AgentSetup } from './bridge.ts';

const FIRED = / fire --as [\w-]+ --host ([\w-]+) --deadline-ms \d/;

/** The agent that a line of ours was written for; undefined for anybody else's line. */
export const bridgedBy = (line: string): string | undefined => FIRED.exec(line)?.[1];

/** `deadlineMs` is below the agent's own, so that the answer is ours. */
export const fireCommand = ({ node, bin, strict, agent, dialect }: AgentSetup, deadlineMs: number): string =>
  `${quoted(node)} ${quoted(bin)} fire --as ${dialect} --host ${agent} --deadline-ms ${deadlineMs}${strict ? ' --strict' : ''}`;

/**
 * For an entry that judges tool calls: anything but 0 or 2 (no Node, no anyhook, a crash, a kill) becomes exit 2 with a
 * reason. Never on prompts and stops, where a broken bridge would lock the person out or the agent in.
 */
export function closedLine(setup: AgentSetup, deadlineMs: number): string {
  const refuse = `{ s=$?; [ $s -eq 2 ] || echo "anyhook could not judge this call (exit $s), so it is refused. See: anyhook doctor" >&2; exit 2; }`;
  return `/bin/sh -c ${quoted(`${fireCommand(setup, deadlineMs)} || ${refuse}`)}`;
}

/** For a POSIX shell. */
export const quoted = (word: string): string =>
  /^[\w/.:@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
