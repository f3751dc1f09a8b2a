/** Converts Cursor's answers to the shared format of command hooks and back. */

import type { Fields } from '../../../events/effects.ts';
import { given } from '../../shared/claude-shaped/translation.ts';
import type { AnswerForms } from '../../shared/command-shaped/terms.ts';

/** Cursor's documents use snake case. Its first releases and many published hooks use camel case. */
const SPELLINGS: Readonly<Record<string, string>> = {
  userMessage: 'user_message',
  agentMessage: 'agent_message',
  followupMessage: 'followup_message',
  updatedInput: 'updated_input',
  additionalContext: 'additional_context',
};
const respelt = (reply: Fields): Fields =>
  Object.fromEntries(
    Object.entries(reply)
      .map(([key, value]) => [SPELLINGS[key] ?? key, value, Object.hasOwn(SPELLINGS, key)] as const)
      .toSorted(([, , a], [, , b]) => Number(b) - Number(a)) // if both are present, the documented spelling wins
      .map(([key, value]) => [key, value]),
  );

export const cursorAnswers: AnswerForms = {
  keys: [
    'permission',
    'followup_message',
    'updated_input',
    'additional_context',
    'user_message',
    'agent_message',
    ...Object.keys(SPELLINGS),
  ],
  read(answer, { on, block }) {
    const fields = respelt(answer);
    const { permission, user_message: user, agent_message: model, followup_message: more } = fields;
    const { decision } = fields; // Cursor does not use `decision`, but a refusal by it must not be ignored
    if (on === 'prompt.submit')
      return fields['continue'] === false
        ? refused(user ?? model)
        : given({ continue: fields['continue'], decision });
    if (block === 'resume') return more === undefined || more === '' ? {} : refused(more);
    return given({
      decision,
      permissionDecision: permission,
      permissionDecisionReason: model ?? user,
      updatedInput: fields['updated_input'],
      additionalContext: fields['additional_context'],
    });
  },
  write(answer, { on, block }) {
    const { decision, reason, permissionDecision, permissionDecisionReason: why } = answer;
    if (on === 'prompt.submit')
      return decision === 'block' ? { continue: false, ...given({ user_message: reason }) } : {};
    if (block === 'resume') return given({ followup_message: reason });
    if (on === 'subagent.start')
      return decision === 'block' ? { permission: 'deny', ...given({ user_message: reason }) } : {};
    return given({
      permission: permissionDecision,
      user_message: why,
      agent_message: why,
      updated_input: answer['updatedInput'],
      additional_context: answer['additionalContext'],
    });
  },
};

const refused = (reason: unknown): Fields => ({ decision: 'block', ...given({ reason }) });
