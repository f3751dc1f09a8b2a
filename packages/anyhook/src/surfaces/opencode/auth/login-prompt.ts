import type { LoginPrompt } from '../../../canon/offers.ts';
import type { AuthPrompt } from '../types/index.ts';

export function loginPrompt(prompt: AuthPrompt, at: string): LoginPrompt {
  const isAsked = async (answers: Readonly<Record<string, string>>) => asks(prompt, answers);
  const { key, message } = prompt;
  if (prompt.type === 'select') {
    if (!Array.isArray(prompt.options) || prompt.options.length === 0)
      throw new TypeError(`${at}.options must be a list with at least one choice`);
    const options = prompt.options.map(({ label, value, hint }) => ({
      label,
      value,
      ...(hint !== undefined && { hint }),
    }));
    return { kind: 'select', key, message, options, isAsked };
  }
  if (prompt.type !== 'text')
    throw new TypeError(
      `${at}.type must be 'text' or 'select', not ${JSON.stringify((prompt as { type: unknown }).type)}`,
    );
  const { placeholder } = prompt;
  return {
    kind: 'text',
    key,
    message,
    ...(placeholder !== undefined && { placeholder }),
    validate: async (value) => prompt.validate?.(value),
    isAsked,
  };
}

/** Both spellings must agree; a rule about a question that was not asked does not hold. */
function asks({ when, condition }: AuthPrompt, answers: Readonly<Record<string, string>>): boolean {
  if (when !== undefined) {
    const answer = answers[when.key];
    if (answer === undefined || (answer === when.value) !== (when.op === 'eq')) return false;
  }
  return condition === undefined || condition({ ...answers });
}
