/** For what must not go unsaid where the program listens to nothing. */
export const warn = (about: string, text: string): void =>
  process.emitWarning(`${about}: ${text}`, { type: 'AnyhookWarning', code: 'ANYHOOK_AI_SDK' });
