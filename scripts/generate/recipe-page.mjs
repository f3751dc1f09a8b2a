/** The ready hooks, and the agents in which each does what it is for. */

/** @import { Tables } from './tables.mjs' */

/** @param {Tables} tables */
export const recipePage = ({ recipes, recipeAgents }) =>
  [
    '| recipe | what it does | in which agents |',
    '| --- | --- | --- |',
    ...recipes
      .recipes()
      .map(({ name, about, agents }) => `| \`${name}\` | ${about} | ${recipeAgents.agentsLine(agents)} |`),
  ].join('\n');
