/** What this dialect does not support, with reasons. Printed on its docs page and checked by the contract. */

import type { ShapedGap } from '../../shared/command-shaped/gap.ts';

export const GAPS: readonly ShapedGap[] = [
  {
    what: 'BeforeModel, AfterModel and BeforeToolSelection are passed through unchanged; their answers are not read',
    reason: 'no event of ours has their shape, because Gemini omits function calls there',
    answers: ['BeforeModel', 'AfterModel', 'BeforeToolSelection'],
  },
  {
    what: 'A tool call has no id',
    reason: 'Gemini sends none, so events before and after a call are only matched by their order',
  },
  {
    what: 'A changed result reaches the model as one text, with the context of other hooks behind it',
    reason: '`decision: "deny"` after a tool puts its reason in the place of the result; parts are joined',
  },
  {
    what: '`sequential` groups run side by side like all others',
    reason: 'the order of hooks is a property of the dialect here, not of one group',
  },
  {
    what: '`tailToolCallRequest`, `clearContext`, `llm_request`, `llm_response`, `toolConfig`',
    reason: 'no effect of ours carries them; the whole answer is recorded',
  },
  {
    what: 'Extensions’ hooks, the system settings file and handlers of type `runtime`',
    reason: 'only settings.json of the user and of the project is read',
  },
];
