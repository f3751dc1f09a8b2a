import { z } from 'zod';
import type { ToolDefinition } from '../types/index.ts';

/** The `tool` function for plugins; `tool.schema` is zod. */
export const tool = Object.assign(
  <Args extends z.ZodRawShape>(definition: ToolDefinition<Args>): ToolDefinition<Args> => definition,
  { schema: z },
);
