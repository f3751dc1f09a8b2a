/** Emits a process warning, for programs that do not receive outcomes. */
export const warn = (about: string, text: string): void =>
  process.emitWarning(`${about}: ${text}`, { type: 'AnyhookWarning', code: 'ANYHOOK_ADAPTER' });
