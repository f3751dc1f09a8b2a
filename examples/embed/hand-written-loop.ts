/** Your users' hooks in a loop of your own: a prompt, tools, and an agent that wants to stop. */

import { createHooks, type Outcome } from 'anyhook';

export interface Message {
  readonly role: 'user' | 'assistant' | 'tool';
  readonly text: string;
}
export interface Answer {
  readonly text: string;
  readonly calls?: readonly {
    readonly id: string;
    readonly tool: string;
    readonly input: Record<string, unknown>;
  }[];
}
export type Model = (messages: readonly Message[]) => Promise<Answer>;
export type Tools = Readonly<Record<string, (input: Record<string, unknown>) => Promise<string>>>;

/** What this loop really does with hooks. Nobody can be asked here: a question becomes a refusal. */
const CAN = {
  'prompt.submit': { deny: 'full', set: 'full', context: 'full' },
  'tool.before': { deny: 'full', allow: 'full', ask: { as: 'deny' }, set: 'full', context: 'full' },
  'tool.after': { set: 'full', context: 'full' },
  'tool.failed': { set: 'full', context: 'full' },
  'turn.stop': { resume: 'full', context: 'full' },
} as const;

export async function answer(
  model: Model,
  tools: Tools,
  prompt: string,
  where: { cwd?: string; home?: string } = {},
) {
  const hooks = await createHooks({ host: { name: 'my-agent', can: CAN }, ...where });
  const messages: Message[] = [];
  const hear = ({ forModel }: Outcome) => {
    for (const text of forModel) messages.push({ role: 'user', text });
  };
  try {
    const submitted = await hooks.fire({ name: 'prompt.submit', payload: { prompt } });
    if (submitted.proceed !== 'yes') return `refused: ${submitted.reason}`;
    messages.push({ role: 'user', text: submitted.payload.prompt });
    hear(submitted);

    for (;;) {
      const { text, calls = [] } = await model(messages);
      messages.push({ role: 'assistant', text });
      for (const { id, tool, input } of calls) {
        const guarded = hooks.wrapTool({
          name: tool,
          execute: (final: Record<string, unknown>) => tools[tool]!(final),
        });
        const told: Outcome[] = [];
        const call = { ids: { call: id }, onOutcome: (outcome: Outcome) => told.push(outcome) };
        const result = await guarded.execute(input, call).catch((error: Error) => error.message); // also a refusal: for the model
        messages.push({ role: 'tool', text: result });
        told.forEach(hear);
      }
      if (calls.length > 0) continue;
      const stop = await hooks.fire({ name: 'turn.stop', payload: { active: false, lastMessage: text } });
      hear(stop);
      if (stop.proceed === 'yes') return text;
      messages.push({ role: 'user', text: stop.reason }); // no: it goes on
    }
  } finally {
    await hooks.close();
  }
}
