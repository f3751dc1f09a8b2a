/** What the suite of real agents saw, as two tables. */

/** @import { Agent } from '../../packages/anyhook/src/agents/shared/agent.ts' */
/** @import { Tables } from './tables.mjs' */

/**
 * @typedef {object} Bridged
 * @property {number} guards
 * @property {number} held
 * @property {number} told
 * @property {number} recorded
 * @property {Record<string, boolean>} cells
 */
/** @typedef {{ version: string, on: string, network: 'sealed' | 'proxied', result: Bridged }} ClientResult */

/**
 * @param {Tables} tables
 * @param {Record<string, ClientResult>} results
 */
export function clientTables({ agents, cells: { CELLS } }, results) {
  const all = Object.values(agents.AGENTS);
  const seen = all.filter(({ name }) => name in results);
  const unseen = all.filter(({ name }) => !(name in results)).map(({ shown }) => shown);
  /** @param {Agent} agent */
  const of = ({ name }) => /** @type {ClientResult} */ (results[name]);
  return [
    ...rule([
      'agent',
      'version',
      'on',
      'refusals that held',
      'reasons the model was told',
      'refusals in our journal',
    ]),
    ...seen.map((agent) => {
      const { version, on, result } = of(agent);
      const { guards, held, told, recorded } = result;
      return line([
        agent.shown,
        version,
        on,
        ...[held, told, recorded].map((count) => `${count} of ${guards}`),
      ]);
    }),
    ...unseen.map((shown) => line([shown, 'none', 'by its documents', '–', '–', '–'])),
    '',
    ...rule(['what a hook asks for', ...seen.map(({ shown }) => shown)]),
    ...CELLS.map((cell) => line([cell, ...seen.map((agent) => said(agent, of(agent).result, cell))])),
    '',
    networkWords(seen.map((agent) => of(agent).network)),
  ].join('\n');
}

/**
 * @param {Agent} agent
 * @param {Bridged} result
 * @param {string} cell
 */
function said({ unseen }, { cells }, cell) {
  if (cells[cell]) return 'yes';
  if (cell in unseen) return 'not seen';
  return cell === 'tool.before set' ? 'refused instead' : 'no';
}

/** @param {readonly string[]} networks */
const networkWords = (networks) =>
  networks.every((one) => one === 'sealed')
    ? 'Written by `npm run test:clients`, in a network that has nothing but loopback.'
    : 'Written by `npm run test:clients`.';

/** @param {readonly string[]} cells */
const line = (cells) => `| ${cells.join(' | ')} |`;
/** @param {readonly string[]} cells */
const rule = (cells) => [line(cells), line(cells.map(() => '---'))];
