/** The interface between a screen and the agent. */

import type { Hooks, OfferedCommand } from 'anyhook';
import type { Happening, Listen } from '../front/happening.ts';
import type { Spot } from '../front/spot.ts';

export interface KnownSession {
  readonly file: string;
  readonly about: string;
  readonly changedMs: number;
}
export interface AgentPort {
  readonly hooks: Pick<
    Hooks,
    'hooks' | 'examined' | 'problems' | 'offers' | 'plan' | 'fire' | 'grant' | 'reload'
  >;
  readonly model: string;
  readonly session: { readonly id: string; readonly file: string };
  listen(listen: Listen): () => void;
  /** The earlier happenings of the session. */
  past(): readonly Happening[];
  /** Resolves when the agent is idle again and never rejects: errors are reported as happenings. */
  prompt(text: string): Promise<void>;
  isIdle(): boolean;
  abort(): void;
  compact(instructions?: string): Promise<void>;
  /** Returns false if a hook or the user refused. */
  newSession(): Promise<boolean>;
  resume(file: string): Promise<boolean>;
  branch(entry: string): Promise<boolean>;
  navigate(entry: string, how: { readonly summarize: boolean }): Promise<boolean>;
  /** Returns false if there is no such model; a notice says why. */
  setModel(spec: string): Promise<boolean>;
  sessions(): readonly KnownSession[];
  spots(): readonly Spot[];
  commands(): readonly Pick<OfferedCommand, 'name' | 'description'>[];
  /** Fires `command.before` and sends the resulting prompt. Returns false if a hook refused it. */
  runCommand(name: string, args: string): Promise<boolean>;
  close(): Promise<void>;
}
