/**
 * All that is known about one agent. Every field is answered, `null` and an empty list are answers: whoever reads the
 * records (install, fire, doctor, self-protection, the pause, the pages, the tests of real agents) finds each agent
 * complete. A new fact is a field here, and the compiler asks every agent for it, or its family (`families.ts`) if most
 * agents have the same answer.
 *
 * A record is light: it is loaded by every fire that finds a hook. What is large, or needed seldom, is imported late.
 */
import type { DialectName } from '../../dialects.ts';
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

export interface Agent<Name extends string = string> {
  /** Ours for it: `anyhook install <name>`, `fire --host <name>`. */
  readonly name: Name;
  /** As people call it. */
  readonly shown: string;
  /** In whose words it speaks to us. */
  readonly dialect: DialectName;
  readonly program: AgentProgram;
  /** Versions whose watched cells were seen in a real run, the newest first. Empty: what is said of it is read, not seen. */
  readonly seen: readonly Sighting[];
  /**
   * What it does with each effect of each event it fires: watched in real runs where it is one of `CELLS`, else from its
   * documents and sources. An effect that is not listed is lost, and said; an event that is not listed never fires there.
   */
  readonly can: Capabilities;
  /** Watched cells that no run without a terminal can show, and why. */
  readonly unseen: Readonly<Partial<Record<CapabilityCell, string>>>;
  /** What becomes of a tool call when our bridge is missing, breaks or is too slow there. */
  readonly failure: string;
  /** What the user has to do after `install`, such as trusting the hooks in the agent itself. */
  readonly nextSteps: readonly string[];
  /** Limits that the user should know of; printed by `install`. */
  readonly notes: readonly string[];
  /** Hooks that it finds and runs by itself: the bridge leaves them to it, or they would run twice. */
  readonly ownHooks: readonly OwnHooks[];
  /** Whether it runs those of a project in every folder. They are left to it only where it is known to run them. */
  readonly projectHooks: ProjectHooks;
  /**
   * Matchers with this text, in hooks of other dialects that it runs by itself, never fire there: such hooks are not left to it.
   * Null: none is known.
   */
  readonly neverFires: string | null;
  /** Variables that it sets in whatever it starts: what carries one was not started by a person. Some set none. */
  readonly marks: readonly string[];
  /** In which variable it names its session to the hooks that it starts. Null: in none. */
  readonly sessionVariable: string | null;
  /** What it does besides plain tool calls, and whether its hooks are asked there. */
  readonly sideRoutes: SideRoutes;
  /** Are hooks told that a call is a subagent's? Null: nobody has looked, or it has none. */
  readonly tellsSubagents: boolean | null;
  /** What an install puts where. The last piece is the one that starts us; what goes before it only announces it. */
  readonly bridge: (where: InstallLocation) => readonly [BridgePiece, ...BridgePiece[]];
  /** The settings that the machine's owner writes for all of its users. Null: it has none, or none that take hooks. */
  readonly managed: ManagedTier | null;
  /** What it must be told before it runs hooks, and where that is written down. Null: it runs what it finds, or does not say. */
  readonly trust: HookTrust | null;
  /** Where its MCP servers are named, for `install --mcp`. Null: it has none, or nobody has looked. */
  readonly mcp: McpSettings | null;
  /** Of the person's own, besides the bridge and the dialect's settings, where it takes code from: no agent may write there. */
  readonly guarded: (where: Omit<InstallLocation, 'scope'>) => readonly string[];
  /**
   * Words of its command line, and variables (in capitals), with which it starts without its hooks: no agent may start it so.
   * A key in double quotes counts wherever it stands in an argument, all else as a whole. Empty: none is known.
   */
  readonly unhookedBy: readonly string[];
  /** For an agent that loads us into its own process: what speaks with it there. Null: it starts a command. */
  readonly inside: (() => Promise<Inside>) | null;
  /** Null: it cannot be started here, so no probe and no test of ours can try it. */
  readonly headless: (() => Promise<Headless>) | null;
}

export interface AgentProgram {
  /** Its name on the PATH. */
  readonly name: string;
  /** Its package, as npm spells it: an interpreter that was started with a file of it is the agent. */
  readonly npm: string | null;
  /** Where its own installer puts it, besides the places that all use; `~` is the home folder. */
  readonly places: readonly string[];
  /** Keeps it from looking for a newer version of itself when it is asked for its own. */
  readonly quiet: Readonly<Record<string, string>>;
}

export interface Sighting {
  readonly version: string;
  /** The day, as `2026-11-16`. */
  readonly on: string;
}

/** A dialect's, wherever they stand; or, as `goose@/part/`, only those in files with that in their path. */
export type OwnHooks = DialectName | `${DialectName}@/${string}`;
