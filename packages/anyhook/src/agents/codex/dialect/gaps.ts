/** What this dialect does not support, with reasons. Printed on its docs page and checked by the contract. */

import type { ShapedGap } from '../../shared/command-shaped/gap.ts';

export const GAPS: readonly ShapedGap[] = [
  {
    what: 'A subagent cannot be prevented from starting; hooks on Interrupt and the two model requests cannot answer',
    reason: 'Codex does not read refusals on these events',
    answers: ['SubagentStart', 'Interrupt', 'PreModelRequest', 'PostModelRequest'],
  },
  {
    what: 'Asking on PermissionRequest is written as no answer',
    reason: 'the user is asked anyway, and there is no field for it, so it is not read back',
    answers: ['PermissionRequest'],
  },
  {
    what: 'A changed result reaches the model as one text',
    reason: '`decision: "block"` after a tool replaces what the model sees by its reason; parts are joined',
  },
  {
    what: '`[hooks]` in config.toml, managed requirements, plugins, `notify`',
    reason: 'only hooks.json of the user and of the project is read',
  },
  {
    what: '`mcp_tool` placeholders, `additionalContextLimit`, prompt and agent handlers',
    reason: 'placeholders are not filled in; Codex itself skips prompt and agent handlers',
  },
  {
    what: 'Codex’s own trust (`hooks.state`) is not read',
    reason: 'what a project asks for waits for trust of its content here, which covers the scripts too',
  },
];
