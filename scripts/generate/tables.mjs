/** The tables, as the sources have them. */

import { join } from 'node:path';
import { createJiti } from 'jiti';

/**
 * @typedef {import('../../packages/anyhook/src/events/events.ts').EventName} EventName
 * @typedef {import('../../packages/anyhook/src/events/dialect.ts').Dialect} Dialect
 * @typedef {object} Tables
 * @property {typeof import('../../packages/anyhook/src/events/events.ts')} events
 * @property {typeof import('../../packages/anyhook/src/events/effects.ts')} effects
 * @property {typeof import('../../packages/anyhook/src/events/gifts.ts')} gifts
 * @property {typeof import('../../packages/anyhook/src/events/proceed.ts')} proceed
 * @property {typeof import('../../packages/anyhook/src/events/validate.ts')} validate
 * @property {readonly Dialect[]} dialects
 * @property {typeof import('../../packages/anyhook/src/console/error-codes.ts').ERROR_CODES} errorCodes
 * @property {typeof import('../../packages/anyhook/src/agents/index.ts')} agents
 * @property {typeof import('../../packages/anyhook/src/agents/capabilities.ts')} capabilities
 * @property {typeof import('../../packages/anyhook/src/agents/shared/side-routes.ts')} sideRoutes
 * @property {typeof import('../../packages/anyhook/src/agents/shared/cells.ts')} cells
 * @property {typeof import('../../packages/anyhook/src/agents/redaction.ts')} redaction
 * @property {typeof import('../../packages/anyhook/src/cli/commands.ts')} commands
 * @property {typeof import('../../packages/anyhook/src/cli/program.ts')} program
 * @property {typeof import('../../packages/anyhook/src/serve/messages.ts')} serve
 * @property {typeof import('../../packages/anyhook/src/add/recipes.ts')} recipes
 * @property {typeof import('../../packages/anyhook/src/add/recipe-agents.ts')} recipeAgents
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
    events: await load('events/events.ts'),
    effects: await load('events/effects.ts'),
    gifts: await load('events/gifts.ts'),
    proceed: await load('events/proceed.ts'),
    validate: await load('events/validate.ts'),
    dialects: (await load('dialects.ts')).DIALECTS,
    errorCodes: (await load('console/error-codes.ts')).ERROR_CODES,
    agents: await load('agents/index.ts'),
    capabilities: await load('agents/capabilities.ts'),
    sideRoutes: await load('agents/shared/side-routes.ts'),
    cells: await load('agents/shared/cells.ts'),
    redaction: await load('agents/redaction.ts'),
    commands: await load('cli/commands.ts'),
    program: await load('cli/program.ts'),
    serve: await load('serve/messages.ts'),
    recipes: await load('add/recipes.ts'),
    recipeAgents: await load('add/recipe-agents.ts'),
  };
}
