import { isatty } from 'node:tty';
import { AGENT_MARKS } from '../../agents/marks.ts';
import { UsageError } from '../console/usage.ts';

/** Variables by which we and agents mark what we start. */
const MARKS: Readonly<Record<string, string>> = { ANYHOOK_DEPTH: 'a hook', ...AGENT_MARKS };

/** As far as can be told: a terminal on both ends, and no mark of an agent. An agent with a terminal of its own can lie. */
export function checkPerson(command: string, env: Readonly<Record<string, string | undefined>>): void {
  const mark = Object.keys(MARKS).find((name) => (env[name] ?? '') !== '');
  if (mark !== undefined)
    throw new UsageError(
      `${command}: started by ${MARKS[mark]} (${mark} is set); only a person may, in a terminal of their own`,
    );
  if (!isatty(0) || !isatty(1))
    throw new UsageError(`${command}: only a person may, from a terminal; here is none`);
}
