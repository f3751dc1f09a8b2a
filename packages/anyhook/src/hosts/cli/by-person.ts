import { isatty } from 'node:tty';
import { UsageError } from '../console/usage.ts';

/** Variables by which agents mark what they start; ours among them. */
const AGENTS: Readonly<Record<string, string>> = {
  ANYHOOK_DEPTH: 'a hook',
  CLAUDECODE: 'Claude Code',
  CLAUDE_CODE_ENTRYPOINT: 'Claude Code',
  CODEX_SANDBOX: 'Codex',
  CODEX_SANDBOX_NETWORK_DISABLED: 'Codex',
  GEMINI_CLI: 'Gemini CLI',
  OPENCODE: 'OpenCode',
  GOOSE_TERMINAL: 'Goose',
  AGENT_SESSION_ID: 'an agent',
  CURSOR_AGENT: 'Cursor',
  PI_CODING_AGENT: 'pi',
  OMPCODE: 'oh-my-pi',
};

/** As far as can be told: a terminal on both ends, and no mark of an agent. An agent with a terminal of its own can lie. */
export function checkPerson(command: string, env: Readonly<Record<string, string | undefined>>): void {
  const mark = Object.keys(AGENTS).find((name) => (env[name] ?? '') !== '');
  if (mark !== undefined)
    throw new UsageError(
      `${command}: started by ${AGENTS[mark]} (${mark} is set); only a person may, in a terminal of their own`,
    );
  if (!isatty(0) || !isatty(1))
    throw new UsageError(`${command}: only a person may, from a terminal; here is none`);
}
