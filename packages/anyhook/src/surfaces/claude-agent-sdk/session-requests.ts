/** What the published SDK lets one ask of a running session, in its own names. */
import { isFields } from '../../canon/fields.ts';
import type { LooseFields } from './frame.ts';

/** What the CLI answers is handed on as it said it. */
export interface SessionRequests {
  /** Stops the turn, not the session. */
  interrupt(): Promise<void>;
  setModel(model?: string): Promise<void>;
  setPermissionMode(mode: string): Promise<void>;
  setMaxThinkingTokens(tokens: number | null): Promise<void>;
  applyFlagSettings(settings: LooseFields): Promise<void>;
  /** Its answer to `initialize`: commands, models, agents, the account. */
  initializationResult(): Promise<LooseFields>;
  supportedCommands(): Promise<readonly unknown[]>;
  supportedModels(): Promise<readonly unknown[]>;
  supportedAgents(): Promise<readonly unknown[]>;
  accountInfo(): Promise<LooseFields>;
  mcpServerStatus(): Promise<readonly unknown[]>;
  reconnectMcpServer(name: string): Promise<void>;
  toggleMcpServer(name: string, enabled: boolean): Promise<void>;
  setMcpServers(servers: LooseFields): Promise<unknown>;
  rewindFiles(userMessageId: string, options?: { readonly dryRun?: boolean }): Promise<unknown>;
  stopTask(taskId: string): Promise<void>;
}

type Request = (body: LooseFields & { readonly subtype: string }) => Promise<unknown>;

export function sessionRequests(begun: Promise<LooseFields>, request: Request): SessionRequests {
  const tell = async (subtype: string, body: LooseFields = {}): Promise<void> => {
    await request({ subtype, ...body });
  };
  return {
    ...saidAtStart(begun),
    interrupt: () => tell('interrupt'),
    setModel: (model) => tell('set_model', model === undefined ? {} : { model }),
    setPermissionMode: (mode) => tell('set_permission_mode', { mode }),
    setMaxThinkingTokens: (tokens) => tell('set_max_thinking_tokens', { max_thinking_tokens: tokens }),
    applyFlagSettings: (settings) => tell('apply_flag_settings', { settings }),
    mcpServerStatus: async () => listIn(await request({ subtype: 'mcp_status' }), 'mcpServers'),
    reconnectMcpServer: (serverName) => tell('mcp_reconnect', { serverName }),
    toggleMcpServer: (serverName, enabled) => tell('mcp_toggle', { serverName, enabled }),
    setMcpServers: (servers) => request({ subtype: 'mcp_set_servers', servers }),
    rewindFiles: (id, { dryRun } = {}) =>
      request({ subtype: 'rewind_files', user_message_id: id, ...(dryRun && { dry_run: true }) }),
    stopTask: (taskId) => tell('stop_task', { task_id: taskId }),
  };
}

const saidAtStart = (
  begun: Promise<LooseFields>,
): Pick<
  SessionRequests,
  'initializationResult' | 'supportedCommands' | 'supportedModels' | 'supportedAgents' | 'accountInfo'
> => ({
  initializationResult: () => begun,
  supportedCommands: async () => listIn(await begun, 'commands'),
  supportedModels: async () => listIn(await begun, 'models'),
  supportedAgents: async () => listIn(await begun, 'agents'),
  accountInfo: async () => {
    const { account } = await begun;
    return isFields(account) ? account : {};
  },
});

function listIn(said: unknown, name: string): readonly unknown[] {
  const value = isFields(said) ? said[name] : undefined;
  return Array.isArray(value) ? value : [];
}
