/**
 * Variables that set the user's folder of each dialect's agent. A separate file, because they are needed before any
 * dialect is loaded. `test/guards/moved.test.ts` checks that it is complete.
 */
export const HOME_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_PLUGIN_CACHE_DIR'],
  codex: ['CODEX_HOME'],
  'copilot-cli': ['COPILOT_HOME'],
  'gemini-cli': ['GEMINI_CLI_HOME', 'GEMINI_CLI_TRUSTED_FOLDERS_PATH'],
  'grok-build': ['GROK_HOME'],
  'kimi-code': ['KIMI_CODE_HOME'],
  opencode: ['OPENCODE_CONFIG_DIR'],
  'oh-my-pi': ['PI_CODING_AGENT_DIR'],
};
