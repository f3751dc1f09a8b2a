import { appendFileSync } from 'node:fs';
import type { Dialect } from '../events/dialect.ts';
import type { Reply } from '../events/exchange.ts';
import { safe } from '../render/safe.ts';

/** Variables for the agent's later commands go into the file that it has named for them. Answers what went wrong. */
export function handOnVariables(
  reply: Reply,
  { exportsVariable = '' }: Dialect,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const exported = reply.kind === 'exited' ? Object.entries(reply.exported ?? {}) : [];
  if (exported.length === 0) return [];
  const file = env[exportsVariable];
  if (file === undefined)
    return [`variables for later commands are lost: the agent names no file in ${exportsVariable}`];
  const said = exported.filter(([name, value]) => NAME.test(name) && !value.includes('\0'));
  const odd = exported.filter((one) => !said.includes(one)).map(([name]) => safe(name));
  try {
    appendFileSync(
      file,
      said.map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`).join(''),
    );
    return odd.length === 0 ? [] : [`no shell can be given the variables ${odd.join(', ')}: they are lost`];
  } catch (error) {
    return [`variables for later commands are lost: ${safe((error as Error).message)}`];
  }
}

const NAME = /^[A-Za-z_]\w*$/;
