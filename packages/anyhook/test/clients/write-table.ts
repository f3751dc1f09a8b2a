/** The suite's results as the table in docs/compatibility.md, with versions and date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AgentName, SHEETS } from '../../src/hosts/bridges/capabilities.ts';
import { AGENTS } from './agents.ts';
import { GUARDS, type Seen } from './bridged.ts';
import { pinned } from './packages.ts';

const PAGE = fileURLToPath(new URL('../../../../docs/compatibility.md', import.meta.url));
const [BEGIN, END] = ['<!-- clients:begin -->', '<!-- clients:end -->'];

/** Only a whole run is written down. */
export function writeTable(seen: ReadonlyMap<AgentName, Seen>): void {
  const agents = Object.keys(AGENTS) as AgentName[];
  if (!agents.every((agent) => seen.has(agent))) return;
  const rows = agents.map((agent) => {
    const { ran, told, rewritten, context, recorded } = seen.get(agent)!;
    const cells = [
      SHEETS[agent].shown,
      pinned(AGENTS[agent].client),
      `${GUARDS.length - ran.length} of ${GUARDS.length}`,
      `${told.length} of ${GUARDS.length}`,
      rewritten ? 'yes' : 'refused instead',
      context ? 'yes' : 'no',
      `${recorded.length} of ${GUARDS.length}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const table = [
    `Written by \`npm run test:clients\` on ${new Date().toISOString().slice(0, 10)}.`,
    '',
    '| agent | version | refusals that held | reasons the model was told | a changed command ran | context reached the model | refusals in our journal |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  writeFileSync(PAGE, `${before}${BEGIN}\n${table}\n${END}${after}`);
}
