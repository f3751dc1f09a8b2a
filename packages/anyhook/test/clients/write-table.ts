/** The suite's results as the table in docs/compatibility.md, with versions and date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AGENT_NAMES, type AgentName, AGENTS } from '../../src/agents/index.ts';
import type { Agent } from '../../src/agents/shared/agent.ts';
import { type CapabilityCell, CELLS } from '../../src/agents/shared/cells.ts';
import type { Seen } from './bridged.ts';
import { GUARDS } from './guards.ts';
import { canSeal } from './sealed.ts';

export type Row = Omit<Seen, 'cells'> & { readonly cells: Readonly<Record<CapabilityCell, boolean>> };

const PAGE = fileURLToPath(new URL('../../../../docs/compatibility.md', import.meta.url));
const [BEGIN, END] = ['<!-- clients:begin -->', '<!-- clients:end -->'];

/** Only a whole run is written down. */
export function writeTable(rows: ReadonlyMap<AgentName, Row>): void {
  if (!AGENT_NAMES.every((agent) => rows.has(agent))) return;
  const of = (list: readonly unknown[]) => `${list.length} of ${GUARDS.length}`;
  const network = canSeal ? ', in a network that has nothing but loopback' : '';
  const table = [
    `Written by \`npm run test:clients\` on ${new Date().toISOString().slice(0, 10)}${network}.`,
    '',
    ...rule([
      'agent',
      'version',
      'refusals that held',
      'reasons the model was told',
      'refusals in our journal',
    ]),
    ...AGENT_NAMES.map((agent) => {
      const { ran, told, recorded } = rows.get(agent)!;
      const held = GUARDS.filter((name) => !ran.includes(name));
      return line([AGENTS[agent].shown, AGENTS[agent].seen[0]!.version, of(held), of(told), of(recorded)]);
    }),
    '',
    ...rule(['what a hook asks for', ...AGENT_NAMES.map((agent) => AGENTS[agent].shown)]),
    ...CELLS.map((cell) =>
      line([cell, ...AGENT_NAMES.map((agent) => saidOf(AGENTS[agent], rows.get(agent)!, cell))]),
    ),
  ].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  writeFileSync(PAGE, `${before}${BEGIN}\n${table}\n${END}${after}`);
}

function saidOf({ unseen }: Agent, { cells }: Row, cell: CapabilityCell): string {
  if (cells[cell]) return 'yes';
  if (Object.hasOwn(unseen, cell)) return 'not seen';
  return cell === 'tool.before set' ? 'refused instead' : 'no';
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const rule = (cells: readonly string[]): string[] => [line(cells), line(cells.map(() => '---'))];
