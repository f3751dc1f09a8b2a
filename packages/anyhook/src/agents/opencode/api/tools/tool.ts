import { z } from 'zod';
import type { ToolDefinition } from '../types/index.ts';

/** What a plugin writes a tool with; `tool.schema` is zod. */
export const tool = Object.assign(
  <Args extends z.ZodRawShape>(definition: ToolDefinition<Args>): ToolDefinition<Args> => definition,
  { schema: z },
);
