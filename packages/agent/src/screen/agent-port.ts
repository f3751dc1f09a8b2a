/** What a screen does with the agent. */
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
  /** What was said and done in the session before. */
  past(): readonly Happening[];
  /** Resolves when the agent is idle again. Never rejects: what went wrong is a happening. */
  prompt(text: string): Promise<void>;
  isIdle(): boolean;
  abort(): void;
  compact(instructions?: string): Promise<void>;
  /** False: a hook, or the person, said no. */
  newSession(): Promise<boolean>;
  resume(file: string): Promise<boolean>;
  branch(entry: string): Promise<boolean>;
  navigate(entry: string, how: { readonly summarize: boolean }): Promise<boolean>;
  /** False: there is no such model; why is a happening. */
  setModel(spec: string): Promise<boolean>;
  sessions(): readonly KnownSession[];
  spots(): readonly Spot[];
  commands(): readonly Pick<OfferedCommand, 'name' | 'description'>[];
  /** Fires `command.before` and sends what became of it; false: a hook refused it. */
  runCommand(name: string, args: string): Promise<boolean>;
  close(): Promise<void>;
}
