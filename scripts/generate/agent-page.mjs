/** The head of an agent's page, and the tables that have a row for each agent, read off the records. */

import { capabilityTable, seenWords } from './capability-page.mjs';

/** @import { Agent } from '../../packages/anyhook/src/agents/shared/agent.ts' */
/** @import { Tables } from './tables.mjs' */

/** Placeholders for the home and project folders in the pages. */
const HOME = '/~';
const PROJECT = '/project';
/** @param {string} file */
const shown = (file) => `\`${file.replace(`${HOME}/`, '~/').replace(`${PROJECT}/`, '')}\``;
/** @param {readonly string[]} list */
const listed = (list) => list.join(', ') || '–';

/**
 * @param {Agent} agent
 * @param {'user' | 'project'} scope
 */
const piecesOf = ({ bridge }, scope) => bridge({ scope, home: HOME, cwd: PROJECT, env: {} });

const BEFORE = { entries: 'entries in ', block: 'lines at the end of ', whole: '' };

/**
 * @param {Agent} agent
 * @param {'user' | 'project'} scope
 */
const written = (agent, scope) =>
  listed(piecesOf(agent, scope).map(({ kind, file }) => `${BEFORE[kind]}${shown(file)}`));

/**
 * @param {Tables} tables
 * @param {Agent['sideRoutes']} routes
 * @param {string} sight
 */
const routesThat = ({ sideRoutes: { SIDE_ROUTES, SIDE_ROUTE_NAMES } }, routes, sight) =>
  SIDE_ROUTE_NAMES.flatMap((route) => (routes[route].sight === sight ? [SIDE_ROUTES[route]] : []));

/**
 * @param {Tables} tables
 * @param {Agent} agent
 */
function redactionWords({ redaction: { SECRET_PLACES, redactionIn } }, agent) {
  const fates = Object.entries(redactionIn(agent));
  return [...new Set(fates.map(([, fate]) => fate))]
    .map((fate) => {
      const places = fates.filter(([, one]) => one === fate).map(([place]) => place);
      return `${fate} ${places.map((place) => SECRET_PLACES[/** @type {keyof typeof SECRET_PLACES} */ (place)]).join('; ')}`;
    })
    .join('. ');
}

/**
 * @param {Tables} tables
 * @param {Agent} agent
 */
export function agentPage(tables, agent) {
  const { dialect, program, inside, ownHooks, marks, guarded, failure, notes, unseen, sideRoutes } = agent;
  const user = { home: HOME, cwd: PROJECT, env: {} };
  const rows = [
    ['its program', `\`${program.name}\``],
    ['versions seen', listed(agent.seen.map(({ version, on }) => `${version} (${on})`))],
    ['speaks', `[${dialect}](../dialects/${dialect}.md)`],
    [
      'reaches us',
      inside === null ? 'by a command that it starts for each event' : 'by a module that it loads',
    ],
    [`\`anyhook install ${agent.name}\` writes`, written(agent, 'user')],
    ['with `--project`', written(agent, 'project')],
    ['runs by itself', listed(ownHooks.map(ownWords))],
    ['runs a project’s hooks by itself', projectWords(agent)],
    ['marks what it starts with', listed(marks.map((mark) => `\`${mark}\``))],
    ['guarded, besides its settings and the bridge', listed(guarded(user).map(shown))],
    ['when the bridge is missing, broken or too slow', failure],
    ['its hooks are not asked about', listed(routesThat(tables, sideRoutes, 'unasked'))],
    ['[a secret](../compatibility.md#redaction) that a hook would hide', redactionWords(tables, agent)],
  ];
  return [
    '| | |',
    '| --- | --- |',
    ...rows.map(([what, said]) => `| ${what} | ${said} |`),
    ...notes.map((note) => `\n${note}`),
    '',
    '## What it does with what hooks ask for',
    '',
    seenWords(agent),
    ...Object.entries(unseen).map(([cell, why]) => `\n\`${cell}\` was not seen: ${why}.`),
    '',
    ...capabilityTable(tables, agent, '../events'),
  ].join('\n');
}

/** @param {Agent} agent */
function projectWords({ projectHooks }) {
  if (projectHooks === 'always') return 'in every folder';
  return projectHooks === 'unknown'
    ? 'not known: [anyhook runs them too](../bridges.md#which-hooks-are-left-to-the-agent)'
    : 'where its own record trusts the folder; [elsewhere anyhook does](../bridges.md#which-hooks-are-left-to-the-agent)';
}

/** @param {string} hooks */
function ownWords(hooks) {
  const [dialect, part] = hooks.split('@');
  const all = `hooks of [${dialect}](../dialects/${dialect}.md)`;
  return part === undefined ? all : `${all} in \`${part.slice(1)}\``;
}

/** @param {Tables} tables */
export const agentIndex = ({ agents }) =>
  [
    '| agent | newest version seen | its dialect |',
    '| --- | --- | --- |',
    ...Object.values(agents.AGENTS).map(
      ({ name, shown: people, seen, dialect }) =>
        `| [${people}](${name}.md) | ${seen[0]?.version ?? 'none: by its documents'} | [${dialect}](../dialects/${dialect}.md) |`,
    ),
  ].join('\n');

/** @param {Tables} tables */
export const bridgeTable = ({ agents }) =>
  [
    '| agent | what is written, for you | for one project |',
    '| --- | --- | --- |',
    ...Object.values(agents.AGENTS).map(
      (agent) =>
        `| [\`${agent.name}\`](agents/${agent.name}.md) | ${written(agent, 'user')} | ${written(agent, 'project')} |`,
    ),
  ].join('\n');

/** @param {Tables} tables */
export const mcpTable = ({ agents }) =>
  [
    '| agent | where it names its servers, for you | for one project |',
    '| --- | --- | --- |',
    ...Object.values(agents.AGENTS).flatMap(({ name, mcp }) => {
      if (mcp === null) return [];
      const [user, project] = /** @type {const} */ (['user', 'project']).map((scope) =>
        mcp
          .files({ scope, home: '~', cwd: '.', env: {} })
          .map((file) => `\`${file}\``)
          .join(' or '),
      );
      return [
        `| [\`${name}\`](agents/${name}.md) | \`${mcp.under}\` in ${user} | ${project === user ? '—' : project} |`,
      ];
    }),
  ].join('\n');

/** Where the machine's owner writes an agent's settings, and what they are worth. @param {Tables} tables */
export const managedTable = ({ agents }) =>
  [
    '| agent | what `install --managed` writes | what it holds | what a user without root still can |',
    '| --- | --- | --- | --- |',
    ...Object.values(agents.AGENTS).flatMap(({ name, managed }) =>
      managed === null
        ? []
        : [
            `| [\`${name}\`](agents/${name}.md) | ${managed
              .pieces('/')
              .map(({ file }) => `\`${file}\``)
              .join(', ')} | ${managed.holds} | ${managed.leaves} |`,
          ],
    ),
  ].join('\n');
