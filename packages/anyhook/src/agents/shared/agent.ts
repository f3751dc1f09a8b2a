/**
 * The record of one agent. Every field is required, and `null` or an empty list are valid values, so that all readers
 * (install, fire, doctor, self-protection, pause, docs pages, tests of real agents) find complete records. If most
 * agents share an answer, its default goes into `families.ts`.
 * Every fire that finds a hook loads the records, so keep them small. Import large or rarely used code on demand.
 */

import type { Capabilities } from '../../events/capabilities.ts';
import type { BridgePiece, InstallLocation } from './bridge.ts';
import type { CapabilityCell } from './cells.ts';
import type { Headless } from './headless.ts';
import type { HookTrust } from './hook-trust.ts';
import type { Inside } from './inside.ts';
import type { ManagedTier } from './managed-tier.ts';
import type { McpSettings } from './mcp-settings.ts';
import type { ProjectHooks } from './project-hooks.ts';
import type { SideRoutes } from './side-routes.ts';
import type { UsageSource } from './usage/source.ts';

export interface Agent<Name extends string = string, DialectName extends string = Name> {
  /** Our name for it: `anyhook install <name>`, `fire --host <name>`. */
  readonly name: Name;
  /** The display name. */
  readonly shown: string;
  /** The dialect of its payloads and answers. */
  readonly dialect: DialectName;
  readonly program: AgentProgram;
  /**
   * Versions whose watched cells were tested in a real run, newest first. Empty: the record is based on documents only.
   */
  readonly seen: readonly Sighting[];
  /**
   * How it applies each effect of each event. Cells in `CELLS` come from real runs, others from its documents and
   * sources. A missing effect is reported as lost; a missing event never fires.
   */
  readonly can: Capabilities;
  /** Watched cells that cannot be tested without a terminal, and why. */
  readonly unseen: Readonly<Partial<Record<CapabilityCell, string>>>;
  /** What happens to a tool call if our bridge is missing, fails or times out. */
  readonly failure: string;
  /** What the user has to do after `install`, such as trusting the hooks in the agent itself. */
  readonly nextSteps: readonly string[];
  /** Limits that the user should know. `install` prints them. */
  readonly notes: readonly string[];
  /**
   * Hooks that it finds and runs itself. The bridge skips them, because they would run twice. All hooks of a dialect, or, as in
   * `goose@/part/`, only those in files with that text in their path.
   */
  readonly ownHooks: readonly string[];
  /**
   * Whether it runs the hooks of a project in every folder. The bridge skips them only where it is known to run them.
   */
  readonly projectHooks: ProjectHooks;
  /**
   * Matchers containing this text never fire in hooks of other dialects that it runs itself, so the bridge runs those
   * hooks. Null: no such matcher is known.
   */
  readonly neverFires: string | null;
  /** A real run has shown that a shell command with another exit code than 0 is reported as `tool.failed`. */
  readonly reportsFailedCommands?: true;
  /**
   * Variables that it sets for child processes. A process with such a variable was not started by a user. May be empty.
   */
  readonly marks: readonly string[];
  /** The variable with the session id for hooks. Null: none. */
  readonly sessionVariable: string | null;
  /** Field of its payloads with its own version. Null: none. */
  readonly versionField: string | null;
  /** Actions other than plain tool calls, and whether its hooks run for them. */
  readonly sideRoutes: SideRoutes;
  /** Whether payloads mark calls of subagents. Null: unknown, or it has no subagents. */
  readonly tellsSubagents: boolean | null;
  /** What it reveals about tokens and costs, and where. Null: nothing that is read. */
  readonly usage: UsageSource | null;
  /** What an installation writes. The last piece starts us; earlier pieces only register it. */
  readonly bridge: (where: InstallLocation) => readonly [BridgePiece, ...BridgePiece[]];
  /** Settings that the machine's administrator writes for all users. Null: none, or none with hooks. */
  readonly managed: ManagedTier | null;
  /**
   * The trust that it requires before it runs hooks, and where it stores it. Null: it runs all hooks, or the file is
   * not documented.
   */
  readonly trust: HookTrust | null;
  /** Where its MCP servers are configured, for `install --mcp`. Null: none, or unknown. */
  readonly mcp: McpSettings | null;
  /** Further user files from which it loads code. No agent may write there. */
  readonly guarded: (where: Omit<InstallLocation, 'scope'>) => readonly string[];
  /**
   * Command line arguments and variables (in capitals) that start it without its hooks. No agent may start it this way.
   * A key in double quotes matches anywhere in an argument, other words match a whole argument. Empty: none is known.
   */
  readonly unhookedBy: readonly string[];
  /** For an agent that loads us into its own process: the code that runs there. Null: it starts a command. */
  readonly inside: (() => Promise<Inside>) | null;
  /**
   * For an agent that loads us: after this time it goes on without our answer, as seen in a run. Null: it waits. The limit of an agent
   * that starts a command is in its bridge.
   */
  readonly handlerLimitMs: number | null;
  /** Null: it cannot be started without a terminal, so neither the probe nor the tests can run it. */
  readonly headless: (() => Promise<Headless>) | null;
}

export interface AgentProgram {
  /** Its program name on the PATH. */
  readonly name: string;
  /** Its npm package: an interpreter that runs a file of this package is the agent. */
  readonly npm: string | null;
  /** Additional folders that its installer uses; `~` is the home folder. */
  readonly places: readonly string[];
  /** Variables that disable its update check when it prints its version. */
  readonly quiet: Readonly<Record<string, string>>;
}

export interface Sighting {
  readonly version: string;
  /** The date, such as `2026-11-16`. */
  readonly on: string;
}
