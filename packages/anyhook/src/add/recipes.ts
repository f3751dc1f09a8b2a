/** The recipes of the package: one folder each, with test cases. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../own-files.mjs';
import { recipeAgents, type RecipeAgents } from './recipe-agents.ts';

export const RECIPES = packageFile('recipes');

export interface Recipe {
  readonly name: string;
  /** Its first sentence. */
  readonly about: string;
  readonly agents: RecipeAgents;
}

export const recipes = (): Recipe[] =>
  readdirSync(RECIPES)
    .toSorted()
    .map((name) => ({
      name,
      about: aboutIn(readFileSync(join(RECIPES, name, 'hook.ts'), 'utf8')),
      agents: recipeAgents(name),
    }));

const aboutIn = (text: string): string => /^\/\*\* (.*?) \*\//.exec(text)?.[1] ?? '';
