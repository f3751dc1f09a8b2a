/** The tables of the built package. Loaded by path: the scripts must not depend on what is being built. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {import('../../packages/anyhook/src/canon/events.ts').EventName} EventName
 * @typedef {import('../../packages/anyhook/src/canon/dialect.ts').Dialect} Dialect
 * @typedef {object} Tables
 * @property {typeof import('../../packages/anyhook/src/canon/events.ts')} events
 * @property {typeof import('../../packages/anyhook/src/canon/effects.ts')} effects
 * @property {typeof import('../../packages/anyhook/src/canon/gifts.ts')} gifts
 * @property {typeof import('../../packages/anyhook/src/canon/proceed.ts')} proceed
 * @property {typeof import('../../packages/anyhook/src/canon/validate.ts')} validate
 * @property {readonly Dialect[]} dialects
 * @property {typeof import('../../packages/anyhook/src/agents/index.ts')} agents
 * @property {typeof import('../../packages/anyhook/src/agents/capabilities.ts')} capabilities
 * @property {typeof import('../../packages/anyhook/src/agents/shared/side-routes.ts')} sideRoutes
 * @property {typeof import('../../packages/anyhook/src/agents/shared/cells.ts')} cells
 * @property {typeof import('../../packages/anyhook/src/agents/redaction.ts')} redaction
 * @property {typeof import('../../packages/anyhook/src/hosts/packs/recipes.ts')} recipes
 * @property {typeof import('../../packages/anyhook/src/hosts/packs/recipe-agents.ts')} recipeAgents
 */

/**
 * @param {string} root
 * @returns {Promise<Tables>}
 */
export async function readTables(root) {
  const dist = join(root, 'packages/anyhook/dist');
  if (!existsSync(dist)) throw new Error(`${dist} is missing: run 'npm run build' first`);
  /** @param {string} file */
  const load = (file) => import(pathToFileURL(join(dist, file)).href);
  return {
    events: await load('canon/events.js'),
    effects: await load('canon/effects.js'),
    gifts: await load('canon/gifts.js'),
    proceed: await load('canon/proceed.js'),
    validate: await load('canon/validate.js'),
    dialects: (await load('assemble.js')).DIALECTS,
    agents: await load('agents/index.js'),
    capabilities: await load('agents/capabilities.js'),
    sideRoutes: await load('agents/shared/side-routes.js'),
    cells: await load('agents/shared/cells.js'),
    redaction: await load('agents/redaction.js'),
    recipes: await load('hosts/packs/recipes.js'),
    recipeAgents: await load('hosts/packs/recipe-agents.js'),
  };
}
