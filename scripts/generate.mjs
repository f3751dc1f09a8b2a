/**
 * Writes what can be read off the tables: JSON Schemas and the heads of the reference pages.
 * With `--check` it writes nothing and names what is stale.
 */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentIndex, agentPage, bridgeTable, managedTable, mcpTable } from './generate/agent-page.mjs';
import { approvalsTable } from './generate/approvals-table.mjs';
import { capabilityPage } from './generate/capability-page.mjs';
import { clientTables } from './generate/client-tables.mjs';
import { dialectPage } from './generate/dialect-page.mjs';
import { errorPage } from './generate/error-page.mjs';
import { eventIndex } from './generate/event-index.mjs';
import { eventPage } from './generate/event-page.mjs';
import { gooseConfig } from './generate/goose-config.mjs';
import { LIFECYCLE, missingFrom } from './generate/lifecycle.mjs';
import { manPage } from './generate/man-page.mjs';
import { withGenerated } from './generate/marked.mjs';
import { recipePage } from './generate/recipe-page.mjs';
import { reliabilityTable } from './generate/reliability-page.mjs';
import { eventSchemas, hooksSchema, print, serveSchema } from './generate/schemas.mjs';
import { secretPatterns } from './generate/secret-patterns.mjs';
import { serveTables } from './generate/serve-page.mjs';
import { readTables } from './generate/tables.mjs';
import { wildPage } from './generate/wild-page.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCHEMAS = 'packages/anyhook/schema';
const PAGES = 'docs/events';
/** Folders in which every file is ours: what no table asks for any more is stale. */
const OWNED = [`${SCHEMAS}/events`, PAGES];

/** @param {string} file */
const textOf = (file) => (existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : '');

/** By the names of its files. @param {string} folder */
const resultsIn = (folder) =>
  Object.fromEntries(
    readdirSync(join(ROOT, folder)).map((file) => [
      file.replace('.json', ''),
      JSON.parse(textOf(`${folder}/${file}`)),
    ]),
  );

/** @param {Awaited<ReturnType<typeof readTables>>} tables */
async function manOf({ commands: { COMMANDS, GROUPS }, program }) {
  const commandLine = await program.commandTree(Object.keys(COMMANDS), () => {});
  const { version } = JSON.parse(textOf('packages/anyhook/package.json'));
  return manPage(commandLine, COMMANDS, GROUPS, version);
}

/**
 * Pages with results of real agents.
 * @param {import('./generate/tables.mjs').Tables} tables
 * @returns {Map<string, string>}
 */
function clientPages(tables) {
  const files = new Map();
  const compatibility = 'docs/compatibility.md';
  const bridged = resultsIn('packages/anyhook/test/clients/results/bridges');
  const seen = withGenerated(
    textOf(compatibility),
    '# Compatibility',
    clientTables(tables, bridged),
    'clients',
  );
  files.set(compatibility, withGenerated(seen, '# Compatibility', capabilityPage(tables)));
  const approvals = 'docs/approvals.md';
  const answered = resultsIn('packages/anyhook/test/clients/results/approvals');
  const waits = approvalsTable(tables, answered);
  files.set(approvals, withGenerated(textOf(approvals), '# Answer from anywhere', waits, 'approvals'));
  return files;
}

/** @returns {Promise<Map<string, string>>} path under the root → what it should hold */
async function wanted() {
  const tables = await readTables(ROOT);
  const forgotten = missingFrom(tables.events.EVENT_NAMES);
  if (forgotten.length > 0)
    throw new Error(
      `scripts/generate/lifecycle.mjs does not draw ${forgotten.join(', ')}: add what is missing`,
    );
  const schemas = eventSchemas(tables);
  const files = new Map(
    [...schemas].map(([name, schema]) => [`${SCHEMAS}/events/${name}.schema.json`, print(schema)]),
  );
  files.set(`${SCHEMAS}/hooks.schema.json`, print(hooksSchema(tables)));
  files.set(`${SCHEMAS}/serve.schema.json`, print(serveSchema(tables)));
  files.set('docs/serve.md', withGenerated(textOf('docs/serve.md'), '# Any language', serveTables(tables)));
  for (const [name, schema] of schemas) {
    const file = `${PAGES}/${name}.md`;
    files.set(file, withGenerated(textOf(file), `# ${name}`, eventPage(tables, name, schema)));
  }
  for (const dialect of tables.dialects) {
    const file = `docs/dialects/${dialect.name}.md`;
    files.set(file, withGenerated(textOf(file), `# ${dialect.name}`, dialectPage(tables, dialect)));
  }
  for (const agent of Object.values(tables.agents.AGENTS)) {
    const file = `docs/agents/${agent.name}.md`;
    files.set(file, withGenerated(textOf(file), `# ${agent.shown}`, agentPage(tables, agent)));
  }
  const agents = 'docs/agents/index.md';
  files.set(agents, withGenerated(textOf(agents), '# Agents', agentIndex(tables)));
  const bridges = 'docs/bridges.md';
  files.set(bridges, withGenerated(textOf(bridges), '# Bridges', bridgeTable(tables)));
  const mcp = 'docs/mcp.md';
  files.set(mcp, withGenerated(textOf(mcp), '# Hooks around any MCP server', mcpTable(tables)));
  const fleet = 'docs/fleet.md';
  files.set(fleet, withGenerated(textOf(fleet), '# Many machines', managedTable(tables)));
  for (const [file, text] of clientPages(tables)) files.set(file, text);
  const index = `${PAGES}/index.md`;
  files.set(index, withGenerated(textOf(index), '# Events', eventIndex(tables)));
  files.set('packages/anyhook/src/journal/secret-patterns.ts', await secretPatterns());
  files.set('contrib/config/hooks.json', gooseConfig(textOf));
  const wild = 'docs/wild.md';
  const results = JSON.parse(textOf('packages/anyhook/test/wild/results.json'));
  files.set(wild, withGenerated(textOf(wild), '# The wild', wildPage(tables, results)));
  const reliability = 'docs/reliability.md';
  const figures = JSON.parse(textOf('packages/anyhook/test/faults/results.json'));
  files.set(reliability, withGenerated(textOf(reliability), '# Reliability', reliabilityTable(figures)));
  const errors = 'docs/reference/errors.md';
  files.set(errors, withGenerated(textOf(errors), '# Error codes', errorPage(tables.errorCodes)));
  files.set('packages/anyhook/anyhook.1', await manOf(tables));
  const recipes = 'docs/recipes.md';
  files.set(recipes, withGenerated(textOf(recipes), '# Recipes', recipePage(tables)));
  files.set('docs/index.md', withGenerated(textOf('docs/index.md'), '# anyhook', LIFECYCLE));
  return files;
}

/** @param {ReadonlyMap<string, string>} files */
const unasked = (files) =>
  OWNED.flatMap((folder) =>
    existsSync(join(ROOT, folder)) ? readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`) : [],
  ).filter((file) => !files.has(file));

/** @param {ReadonlyMap<string, string>} files */
function check(files) {
  const stale = [...files].filter(([file, text]) => textOf(file) !== text).map(([file]) => `stale: ${file}`);
  const extra = unasked(files).map((file) => `no table asks for it: ${file}`);
  const faults = [...stale, ...extra];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) console.error(`run 'npm run generate' and commit what it writes`);
  else console.log(`${files.size} generated files are up to date`);
  return faults.length === 0;
}

/** @param {ReadonlyMap<string, string>} files */
function write(files) {
  for (const file of unasked(files)) rmSync(join(ROOT, file));
  for (const [file, text] of files) {
    if (textOf(file) === text) continue;
    mkdirSync(dirname(join(ROOT, file)), { recursive: true });
    writeFileSync(join(ROOT, file), text);
    console.log(`wrote ${file}`);
  }
}

const [option, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && option !== '--check')) {
  console.error(`generate.mjs takes nothing or --check, not '${[option, ...rest].join(' ')}'`);
  process.exit(2);
}
const files = await wanted();
if (option === '--check') process.exitCode = check(files) ? 0 : 1;
else write(files);
