/** The tables, as the sources have them. */
import { join } from 'node:path';
import { createJiti } from 'jiti';

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
  const jiti = createJiti(import.meta.url);
  /** @param {string} file @returns {Promise<any>} */
  const load = (file) => jiti.import(join(root, 'packages/anyhook/src', file));
  return {
    events: await load('canon/events.ts'),
    effects: await load('canon/effects.ts'),
    gifts: await load('canon/gifts.ts'),
    proceed: await load('canon/proceed.ts'),
    validate: await load('canon/validate.ts'),
    dialects: (await load('assemble.ts')).DIALECTS,
    agents: await load('agents/index.ts'),
    capabilities: await load('agents/capabilities.ts'),
    sideRoutes: await load('agents/shared/side-routes.ts'),
    cells: await load('agents/shared/cells.ts'),
    redaction: await load('agents/redaction.ts'),
    recipes: await load('hosts/packs/recipes.ts'),
    recipeAgents: await load('hosts/packs/recipe-agents.ts'),
  };
}
