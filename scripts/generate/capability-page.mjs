/** The capability tables for people: one per agent, read off its record. */

/** @import { Agent } from '../../packages/anyhook/src/agents/shared/agent.ts' */
/** @import { Tables } from './tables.mjs' */

/** @param {Tables} tables */
export const capabilityPage = (tables) =>
  [routeTable(tables), redactionTable(tables), usageTable(tables), agentTables(tables)].join('\n');

/**
 * What becomes of a secret that a hook would hide.
 *
 * @param {Tables} tables
 */
function redactionTable({ agents, redaction: { SECRET_PLACES, redactionIn } }) {
  const all = Object.values(agents.AGENTS);
  const places = /** @type {(keyof typeof SECRET_PLACES)[]} */ (Object.keys(SECRET_PLACES));
  return [
    '### Redaction',
    '',
    'What becomes of a secret that a hook would hide, whatever dialect it is written for. `hidden`: the change is made. `refused`:',
    'the agent lets nobody change it, so the prompt or the call is refused. `read`: it can be neither changed nor refused; it is',
    'read, and the outcome, the person and the journal are told. `untold`: the agent has no such event. Prompts and results were',
    'seen with a published redactor in every agent that runs here ([the wild](wild.md)), calls are `tool.before set` above, and the',
    'last row is from documents.',
    '',
    `| a secret | ${all.map(({ shown }) => shown).join(' | ')} |`,
    `| --- | ${all.map(() => '---').join(' | ')} |`,
    ...places.map(
      (place) => `| ${SECRET_PLACES[place]} | ${all.map((agent) => redactionIn(agent)[place]).join(' | ')} |`,
    ),
    '',
  ].join('\n');
}

/**
 * What agents reveal about tokens and costs.
 *
 * @param {Tables} tables
 */
function usageTable({ agents }) {
  const all = Object.values(agents.AGENTS);
  const figures = /** @type {const} */ ({
    tokens: 'tokens in and out',
    cached: 'cached tokens',
    context: 'tokens in the context window',
    window: 'size of the context window',
    cost: 'costs',
    subagents: 'tokens of subagents',
  });
  const names = /** @type {(keyof typeof figures)[]} */ (Object.keys(figures));
  return [
    '### Usage',
    '',
    'What events of each agent say about [tokens and costs](usage.md), and where it comes from. The suite of real agents compares the figures',
    'of each agent with a column with those that its scripted model stated (`test/clients/usage.test.ts`). The window of Codex and',
    'Copilot CLI, and tokens of subagents, are from their files.',
    '',
    `| figure | ${all.map(({ shown }) => shown).join(' | ')} |`,
    `| --- | ${all.map(() => '---').join(' | ')} |`,
    `| read from | ${all.map(({ usage }) => usage?.from ?? '–').join(' | ')} |`,
    ...names.map(
      (name) =>
        `| ${figures[name]} | ${all.map(({ usage }) => (usage?.figures.includes(name) ? 'yes' : '–')).join(' | ')} |`,
    ),
    '',
    ...all.flatMap(({ shown, usage }) => (usage?.note === undefined ? [] : [`- ${shown}: ${usage.note}`])),
    '- Our agent passes tokens and the context on by itself.',
    '',
  ].join('\n');
}

/**
 * Whether hooks are asked on the ways besides plain tool calls.
 *
 * @param {Tables} tables
 */
function routeTable({ agents, sideRoutes: { SIDE_ROUTES, SIDE_ROUTE_NAMES } }) {
  const all = Object.values(agents.AGENTS);
  return [
    '### Side routes',
    '',
    'Are hooks asked about what an agent does besides plain tool calls? `unasked`: no. While a guard is set there, the bridge',
    'refuses what would open such a way: a shell that is sent keys, a subagent, a script. `absent`: it has no such way. `unknown`: nobody',
    'has looked, so count on nothing. A ✓ was seen in a real run of the version above (`test/clients`; `doctor --probe` tries it in yours); the',
    'others are from documents, sources and threads. `/` commands are asked about where hooks of',
    'prompts are, or where those of the calls that follow are, if no prompt can be refused there. `!` lines, and the `/` commands of Codex, Kimi and Copilot, were typed into the agent',
    'in a terminal, on 2026-11-17.',
    '',
    `| route | ${all.map(({ shown }) => shown).join(' | ')} |`,
    `| --- | ${all.map(() => '---').join(' | ')} |`,
    ...SIDE_ROUTE_NAMES.flatMap((route) => [
      `| ${SIDE_ROUTES[route]} | ${all.map(({ sideRoutes }) => factWords(sideRoutes[route])).join(' | ')} |`,
      ...(route === 'subagents'
        ? [
            `| a subagent's calls are told apart | ${all.map(({ tellsSubagents }) => apartWords(tellsSubagents)).join(' | ')} |`,
          ]
        : []),
    ]),
    '',
  ].join('\n');
}

/** @param {import('../../packages/anyhook/src/agents/shared/side-routes.ts').RouteFact} fact */
const factWords = ({ sight, from }) => (from === 'run' ? `${sight} ✓` : sight);
/** @param {boolean | null} tells */
const apartWords = (tells) => (tells === null ? '–' : tells ? 'yes ✓' : 'no ✓');

/** @param {Tables} tables */
const agentTables = (tables) =>
  Object.values(tables.agents.AGENTS)
    .map((agent) => {
      const version = agent.seen[0]?.version ?? 'by its documents';
      return [
        `### [${agent.shown}](agents/${agent.name}.md) ${version}`,
        '',
        `${seenWords(agent)} When the bridge is missing, broken or too slow: ${agent.failure}.`,
        ...agent.notes.map((note) => `\n${note}`),
        '',
        ...capabilityTable(tables, agent, 'events'),
        '',
      ].join('\n');
    })
    .join('\n');

/** @param {Agent} agent */
export function seenWords({ seen }) {
  if (seen.length === 0) return 'Nothing of this was seen in a real run: it is what its documents say.';
  const runs = seen.map(({ version, on }) => `${version} on ${on}`);
  return `Cells with a ✓ were seen in a real run of ${runs.join(', and of ')}; the others are from documents.`;
}

/**
 * @param {Tables} tables
 * @param {Agent} agent
 * @param {string} events the way to the pages of the events
 */
export const capabilityTable = ({ capabilities }, agent, events) => [
  '| event | full | weaker or other | lost |',
  '| --- | --- | --- | --- |',
  ...capabilities.rowsOf(agent).map(({ event, effects }) => {
    /** @param {(standing: string) => boolean} is */
    const of = (is) => effects.filter(({ standing }) => is(standing));
    /** @param {{ kind: string, from: string }} cell */
    const said = ({ kind, from }) => (from === 'seen' ? `${kind} ✓` : kind);
    const full = of((standing) => standing === 'full').map(said);
    const other = of((standing) => standing.startsWith('as ')).map(
      (cell) => `${said(cell)} ${cell.standing}`,
    );
    const lost = of((standing) => standing === 'lost').map(said);
    return `| [${event}](${events}/${event}.md) | ${full.join(', ') || '–'} | ${other.join(', ') || '–'} | ${lost.join(', ') || '–'} |`;
  }),
];
