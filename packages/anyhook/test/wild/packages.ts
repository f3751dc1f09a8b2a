/** Published plugins, extensions, hooks and programs, pinned: other people's code, as it is. */
export interface WildPackage {
  readonly name: string;
  readonly version: string;
  /** Whose code it is: where it is at home. */
  readonly kind: 'opencode' | 'pi' | 'oh-my-pi' | 'claude-code' | 'agent-sdk';
  /**
   * It needs Bun itself: our loaders run there with it; a host on Node says that it does not load. Or a newer Node than
   * ours, on which then everything of ours runs.
   */
  readonly needs?: 'bun' | 'node22';
  /** What its users put below their home folder: without them it does nothing. */
  readonly files?: Readonly<Record<string, string>>;
  /** What it refuses; otherwise what most guards do. Only ever asked about, or run in an empty folder. */
  readonly danger?: string;
  /** What does not work here, and whose fault it is. */
  readonly lacks?: string;
  /** Answers (by their place) and registrations that differ from home, for the reason that `lacks` gives. */
  readonly differs?: readonly ('registered' | number)[];
}
type More = Pick<WildPackage, 'needs' | 'files' | 'danger' | 'lacks' | 'differs'>;

const of =
  (kind: WildPackage['kind']) =>
  (name: string, version: string, more: More = {}): WildPackage => ({ name, version, kind, ...more });
const opencode = of('opencode');
const pi = of('pi');
const claudeCode = of('claude-code');

const NEEDS_BUN: More = {
  needs: 'bun',
  lacks: 'needs Bun, and was compared there; on Node it does not load, which is said: its own',
};

const NEEDS_NODE_22: More = { needs: 'node22', lacks: 'needs Node 22, and was compared there: its own' };

export const WILD: readonly WildPackage[] = [
  opencode('cc-safety-net', '2.4.5'),
  opencode('oh-my-opencode', '4.19.4', {
    differs: ['registered'],
    lacks: 'its tool `interactive_bash` is there on Bun only (it asks `Bun.which` for tmux): its own',
  }),
  opencode('opencode-beads', '0.3.2'),
  opencode('@tarquinen/opencode-dcp', '3.1.14'),
  opencode('opencode-antigravity-auth', '1.6.0'),
  opencode('opencode-gemini-auth', '1.3.8'),
  opencode('opencode-supermemory', '2.0.10'),
  opencode('opencode-vibeguard', '0.1.0', {
    files: {
      '.config/opencode/vibeguard.config.json':
        '{ "enabled": true, "patterns": { "keywords": [{ "value": "hunter2", "category": "PASSWORD" }] } }',
    },
  }),
  opencode('opencode-poe-auth', '0.0.1'),
  opencode('opencode-copilot-auth', '0.0.9'),
  opencode('opencode-pty', '0.1.3', NEEDS_BUN),
  opencode('opencode-skills', '0.1.7', NEEDS_BUN),
  opencode('opencode-wakatime', '1.3.9'),
  opencode('opencode-openai-codex-auth', '4.4.0'),
  opencode('opencode-anthropic-auth', '0.0.13'),
  opencode('opencode-google-antigravity-auth', '0.2.15'),
  opencode('opencode-lmstudio', '0.3.0'),
  opencode('opencode-swarm', '5.1.0'),
  opencode('opencode-cursor-auth', '1.0.16', NEEDS_BUN),
  opencode('opencode-anthropic-oauth', '0.4.7'),
  opencode('opencode-qwen-auth', '0.3.4', {
    lacks: 'two of the functions it exports beside its plugin want the network: its own',
  }),
  opencode('oh-my-opencode-slim', '2.2.24', {
    lacks: 'on Node 20 its tool `webfetch` does not work, which it says: its jsdom asks for Node 22: its own',
  }),
  opencode('opencode-orchestrator', '1.7.22'),
  opencode('opencode-conductor-plugin', '1.32.0'),
  opencode('opencode-telemetry', '0.1.19', NEEDS_BUN),
  opencode('opencode-anthropic-login-via-cli', '1.6.1'),
  opencode('open-orchestra', '0.2.4', {
    needs: 'bun',
    differs: ['registered'],
    lacks:
      'needs Bun, and was compared there; its `tui.command.execute` is no hook of OpenCode, which never calls it: its own',
  }),
  opencode('@gitlab/opencode-gitlab-auth', '1.3.3'),
  opencode('@different-ai/opencode-browser', '4.6.1'),
  opencode('opencode-codebase-index', '0.8.1'),
  opencode('context-mode', '1.0.169', NEEDS_NODE_22),
  pi('cc-safety-net', '2.4.5'),
  pi('checkpoint-pi', '1.0.5'),
  pi('pi-caffeinate', '2.0.0'),
  pi('pi-simplify', '0.2.2'),
  pi('pi-sandbox', '0.4.3'),
  pi('@tmustier/pi-ralph-wiggum', '0.2.3'),
  pi('pi-web-access', '0.28.0'),
  pi('@gotgenes/pi-permission-system', '20.7.3'),
  pi('pi-schedule-prompt', '0.4.1'),
  pi('pi-prompt-template-model', '0.12.2'),
  pi('pi-mcp-adapter', '2.36.0'),
  pi('pi-subagents', '0.67.0'),
  pi('pi-autoresearch', '1.6.0'),
  of('oh-my-pi')('@oh-my-pi/swarm-extension', '13.17.0'),
  pi('pi-lens', '3.8.73'),
  pi('pi-btw', '0.4.1'),
  pi('pi-claude-bridge', '0.6.3'),
  pi('pi-markdown-preview', '0.16.0'),
  pi('@aliou/pi-processes', '0.12.0'),
  pi('pi-plan-mode', '0.2.4'),
  pi('pi-llamacpp-infra', '1.3.1'),
  pi('pi-docparser', '4.0.0'),
  pi('pi-fff', '0.1.12'),
  pi('@samfp/pi-memory', '1.5.0', NEEDS_NODE_22),
  pi('@ollama/pi-web-search', '0.0.5'),
  pi('@tintinweb/pi-subagents', '0.14.1'),
  pi('@juicesharp/rpiv-todo', '2.11.0'),
  pi('@juicesharp/rpiv-ask-user-question', '2.11.0'),
  pi('@juicesharp/rpiv-advisor', '2.11.0'),
  pi('@juicesharp/rpiv-args', '2.11.0'),
  pi('@juicesharp/rpiv-web-tools', '2.11.0'),
  pi('@juicesharp/rpiv-btw', '2.11.0'),
  pi('@juicesharp/rpiv-i18n', '2.11.0'),
  pi('pi-chrome', '0.15.38'),
  pi('pi-themes', '1.0.1'),
  pi('context-mode', '1.0.169', NEEDS_NODE_22),
  claudeCode('cc-safety-net', '2.4.5'),
  claudeCode('block-no-verify', '1.3.0', { danger: 'git commit --no-verify -m x' }),
  claudeCode('tdd-guard', '1.7.0'),
  claudeCode('ecc-universal', '2.0.0', { danger: 'git commit --no-verify -m x' }),
  claudeCode('claude-hooks-manager', '3.1.1', { danger: 'git commit -m x' }),
  of('agent-sdk')('ai-sdk-provider-claude-code', '4.1.0'),
  of('agent-sdk')('@zed-industries/claude-agent-acp', '0.23.1'),
];

export const folderOf = ({ name }: WildPackage): string => `wild/${name.replace('/', '+')}`;
/** What one calls it on the command line and in the results. */
export const keyOf = ({ kind, name }: WildPackage): string => `${kind}:${name}`;
