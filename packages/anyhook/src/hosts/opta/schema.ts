import { z } from 'zod';
import { LONGEST, SHORTEST } from '../../dialects/opta/definition.ts';
import { OPTA_EVENTS } from '../../dialects/opta/names.ts';

const common = {
  event: z.enum(OPTA_EVENTS),
  matcher: z.string().optional(),
  timeout: z.number().min(SHORTEST).max(LONGEST).optional(),
  background: z.boolean().optional(),
  statusMessage: z.string().optional(),
  onFailure: z.enum(['allow', 'ask', 'block']).optional(),
};
const command = z.object({
  ...common,
  command: z.string(),
  type: z.literal('command').optional(),
  protocol: z.literal('json').optional(),
});
const prompt = z.object({ ...common, type: z.literal('prompt'), prompt: z.string() });

export const HookDefinitionSchema = z.union([prompt, command]);

/** Only `hooks` is ours; every other key of the file stays as it is. */
export const OptaConfigSchema = z.looseObject({ hooks: z.array(HookDefinitionSchema).default([]) });
