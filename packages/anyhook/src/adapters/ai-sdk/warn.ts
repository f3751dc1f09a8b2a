/** A warning of the process, for programs that do not listen to outcomes. */
export const warn = (about: string, text: string): void =>
  process.emitWarning(`${about}: ${text}`, { type: 'AnyhookWarning', code: 'ANYHOOK_AI_SDK' });
