import { appendFileSync } from 'node:fs';
import type { Dialect } from '../../canon/dialect.ts';
import type { Reply } from '../../canon/exchange.ts';
import { safe } from '../../views/safe.ts';

/** Variables for the agent's later commands go into the file that it has named for them. Answers what went wrong. */
export function handOnVariables(reply: Reply, { exportsVariable = '' }: Dialect): readonly string[] {
  const exported = reply.kind === 'exited' ? Object.entries(reply.exported ?? {}) : [];
  if (exported.length === 0) return [];
  const file = process.env[exportsVariable];
  if (file === undefined)
    return [`variables for later commands are lost: the agent names no file in ${exportsVariable}`];
  const lines = exported.flatMap(([name, value]) =>
    NAME.test(name) ? [`export ${name}='${value.replaceAll("'", "'\\''")}'\n`] : [],
  );
  try {
    appendFileSync(file, lines.join(''));
    return [];
  } catch (error) {
    return [`variables for later commands are lost: ${safe((error as Error).message)}`];
  }
}

const NAME = /^[A-Za-z_]\w*$/;
