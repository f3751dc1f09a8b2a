/**
 * What later versions of the agents have in their contexts and no host here does: as it is without a terminal of theirs.
 * Handlers may use it; nothing comes of it.
 */
const nothing = (): undefined => undefined;

export const CONTEXT_BEYOND = Object.freeze({
  mode: 'print',
  scopedModels: [] as readonly unknown[],
  signal: undefined,
  isProjectTrusted: () => true, // it was trusted, or it would not run
  getContextUsage: nothing,
  getSystemPrompt: () => '',
  compact: nothing,
  shutdown: nothing,
});

const cancelled = async (): Promise<{ cancelled: boolean }> => ({ cancelled: true });
export const COMMANDS_BEYOND = Object.freeze({
  getSystemPromptOptions: () => ({}),
  fork: cancelled,
  switchSession: cancelled,
  reload: async () => {},
});

const unsubscribe = (): (() => void) => () => {};
/** Widgets, headers, footers and indicators are drawn by nobody. */
export const UI_BEYOND: object = Object.freeze({
  setWidget: nothing,
  setFooter: nothing,
  setHeader: nothing,
  setTitle: nothing,
  setWorkingMessage: nothing,
  setWorkingVisible: nothing,
  setWorkingIndicator: nothing,
  setHiddenThinkingLabel: nothing,
  setEditorComponent: nothing,
  getEditorComponent: nothing,
  pasteToEditor: nothing,
  addAutocompleteProvider: unsubscribe,
  onTerminalInput: unsubscribe,
  getAllThemes: () => [],
  getTheme: nothing,
  setTheme: () => ({ success: false, error: 'the host sets themes' }),
  getToolsExpanded: () => false,
  setToolsExpanded: nothing,
});
