/** Requests to a running session, with the names of the published SDK. */

import { isFields } from '../../../events/fields.ts';
import type { LooseFields } from './frame.ts';

/** The answers of the CLI are returned unchanged. */
export interface SessionRequests {
  /** Stops the turn, not the session. */
  interrupt(): Promise<void>;
  setModel(model?: string): Promise<void>;
  setPermissionMode(mode: string): Promise<void>;
  setMcpPermissionModeOverride(serverName: string, mode: string | null): Promise<unknown>;
  setMaxThinkingTokens(tokens: number | null, display?: string | null): Promise<void>;
  applyFlagSettings(settings: LooseFields): Promise<void>;
  updateSettings(source: 'localSettings' | 'userSettings', settings: LooseFields): Promise<void>;
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
  /** True unless the CLI reports otherwise, as in the published SDK. */
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  getContextUsage(options?: { readonly detail?: 'summary' | 'full' }): Promise<unknown>;
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(options?: {
    readonly skipBehaviors?: boolean;
  }): Promise<unknown>;
  /** Null if the CLI cannot read it. */
  readFile(
    path: string,
    options?: { readonly maxBytes?: number; readonly encoding?: 'utf-8' | 'base64' },
  ): Promise<unknown>;
  seedReadState(path: string, mtime: number): Promise<void>;
  readMcpResource(serverName: string, uri: string): Promise<unknown>;
  reloadPlugins(options?: {
    readonly holdOnCacheImpact?: boolean;
    readonly addPlugins?: readonly unknown[];
    readonly refuseIfBusy?: boolean;
  }): Promise<unknown>;
  reloadSkills(): Promise<unknown>;
  reloadOutputStyles(): Promise<unknown>;
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
    setMaxThinkingTokens: (tokens, display) =>
      tell('set_max_thinking_tokens', {
        max_thinking_tokens: tokens,
        ...(display !== undefined && { thinking_display: display }),
      }),
    applyFlagSettings: (settings) => tell('apply_flag_settings', { settings }),
    updateSettings: (source, settings) => tell('update_settings', { source, settings }),
    ...mcpServers(request),
    rewindFiles: (id, { dryRun } = {}) =>
      request({ subtype: 'rewind_files', user_message_id: id, ...(dryRun && { dry_run: true }) }),
    stopTask: (taskId) => tell('stop_task', { task_id: taskId }),
    ...filesAndUsage(request),
    ...reloading(request),
  };
}

const mcpServers = (
  request: Request,
): Pick<
  SessionRequests,
  | 'mcpServerStatus'
  | 'reconnectMcpServer'
  | 'toggleMcpServer'
  | 'setMcpServers'
  | 'setMcpPermissionModeOverride'
> => ({
  mcpServerStatus: async () => listIn(await request({ subtype: 'mcp_status' }), 'mcpServers'),
  reconnectMcpServer: async (serverName) => void (await request({ subtype: 'mcp_reconnect', serverName })),
  toggleMcpServer: async (serverName, enabled) =>
    void (await request({ subtype: 'mcp_toggle', serverName, enabled })),
  setMcpServers: (servers) => request({ subtype: 'mcp_set_servers', servers }),
  setMcpPermissionModeOverride: async (serverName, mode) =>
    (await request({ subtype: 'set_mcp_permission_mode_override', serverName, mode })) ?? {},
});

const filesAndUsage = (
  request: Request,
): Pick<
  SessionRequests,
  | 'backgroundTasks'
  | 'getContextUsage'
  | 'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET'
  | 'readFile'
  | 'seedReadState'
  | 'readMcpResource'
> => ({
  async backgroundTasks(id) {
    const answer = await request({
      subtype: 'background_tasks',
      ...(id !== undefined && { tool_use_id: id }),
    });
    return !(isFields(answer) && answer['backgrounded'] === false);
  },
  getContextUsage: (options = {}) => request({ subtype: 'get_context_usage', ...options }),
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: ({ skipBehaviors } = {}) =>
    request({ subtype: 'get_usage', ...(skipBehaviors && { skip_behaviors: true }) }),
  async readFile(path, { maxBytes, encoding } = {}) {
    const limits = {
      ...(maxBytes !== undefined && { max_bytes: maxBytes }),
      ...(encoding !== undefined && { encoding }),
    };
    try {
      return await request({ subtype: 'read_file', path, ...limits });
    } catch {
      return null; // the CLI refuses or does not know the request; the published SDK returns the same
    }
  },
  async seedReadState(path, mtime) {
    await request({ subtype: 'seed_read_state', path, mtime });
  },
  readMcpResource: (serverName, uri) => request({ subtype: 'mcp_read_resource', serverName, uri }),
});

const reloading = (
  request: Request,
): Pick<SessionRequests, 'reloadPlugins' | 'reloadSkills' | 'reloadOutputStyles'> => ({
  reloadPlugins: ({ holdOnCacheImpact, addPlugins = [], refuseIfBusy } = {}) =>
    request({
      subtype: 'reload_plugins',
      ...(holdOnCacheImpact && { hold_on_cache_impact: true }),
      ...(addPlugins.length > 0 && { add_plugins: addPlugins }),
      ...(refuseIfBusy && { refuse_if_busy: true }),
    }),
  reloadSkills: () => request({ subtype: 'reload_skills' }),
  reloadOutputStyles: () => request({ subtype: 'reload_output_styles' }),
});

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

function listIn(fields: unknown, name: string): readonly unknown[] {
  const value = isFields(fields) ? fields[name] : undefined;
  return Array.isArray(value) ? value : [];
}
