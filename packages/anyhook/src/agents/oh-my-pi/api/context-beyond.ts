/**
 * Context members of later agent versions that no host here has. They behave as without a terminal and have no effect.
 */
const nothing = (): undefined => undefined;

export const CONTEXT_BEYOND = Object.freeze({
  mode: 'print',
  scopedModels: [] as readonly unknown[],
  signal: undefined,
  isProjectTrusted: () => true, // a module only runs after it was trusted
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
/** No host draws widgets, headers, footers and indicators. */
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
