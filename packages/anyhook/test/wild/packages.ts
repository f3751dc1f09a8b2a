/** Published plugins and extensions, pinned: other people's code, as it is. */
export interface WildPackage {
  readonly name: string;
  readonly version: string;
  /** Whose modules it brings. */
  readonly kind: 'opencode' | 'pi';
  /** What it says, or shows, that it needs; otherwise this Node. */
  readonly needs?: 'bun' | 'node22';
  /** What does not work here, and whose fault it is: shown in the table. */
  readonly lacks?: string;
}

const opencode = (
  name: string,
  version: string,
  more: Pick<WildPackage, 'needs' | 'lacks'> = {},
): WildPackage => ({ name, version, kind: 'opencode', ...more });
/** At home they run on Node 22, where pi does. */
const pi = (name: string, version: string, more: Pick<WildPackage, 'needs' | 'lacks'> = {}): WildPackage => ({
  name,
  version,
  kind: 'pi',
  ...more,
});

export const WILD: readonly WildPackage[] = [
  opencode('cc-safety-net', '2.4.5'),
  opencode('oh-my-opencode', '4.19.4'),
  opencode('opencode-beads', '0.3.2'),
  opencode('@tarquinen/opencode-dcp', '3.1.14'),
  opencode('opencode-antigravity-auth', '1.6.0'),
  opencode('opencode-gemini-auth', '1.3.8'),
  opencode('opencode-supermemory', '2.0.10'),
  opencode('opencode-vibeguard', '0.1.0'),
  opencode('opencode-poe-auth', '0.0.1'),
  opencode('opencode-copilot-auth', '0.0.9'),
  opencode('opencode-pty', '0.1.3'),
  opencode('opencode-skills', '0.1.7'),
  opencode('opencode-wakatime', '1.3.9'),
  opencode('opencode-openai-codex-auth', '4.4.0'),
  opencode('opencode-anthropic-auth', '0.0.13'),
  opencode('opencode-google-antigravity-auth', '0.2.15'),
  opencode('opencode-lmstudio', '0.3.0'),
  opencode('opencode-swarm', '5.1.0'),
  opencode('opencode-cursor-auth', '1.0.16'),
  opencode('opencode-anthropic-oauth', '0.4.7'),
  opencode('opencode-qwen-auth', '0.3.4'),
  opencode('oh-my-opencode-slim', '2.2.24'),
  opencode('opencode-orchestrator', '1.7.22'),
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
  pi('@oh-my-pi/swarm-extension', '13.17.0', { needs: 'bun' }),
  pi('pi-lens', '3.8.73'),
  pi('pi-btw', '0.4.1'),
  pi('pi-claude-bridge', '0.6.3'),
  pi('pi-markdown-preview', '0.16.0'),
  pi('@aliou/pi-processes', '0.12.0'),
  pi('pi-plan-mode', '0.2.4'),
  pi('pi-llamacpp-infra', '1.3.1'),
];

export const folderOf = ({ name }: WildPackage): string => `wild/${name.replace('/', '+')}`;
