/** Runs one program with a deadline for all of it, and leaves nothing behind. */

import { NEVER } from '../../events/signal.ts';
import { openCommandRunner } from '../../runners/command/index.ts';
import { sharedHelper } from '../../runs/shared-commands.ts';

export interface ProgramEnd {
  /** Undefined if it did not exit by itself. */
  readonly code?: number;
  readonly output: string;
  /** Why it did not. */
  readonly why?: string;
}

export interface RunToEndOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

export async function runToEnd(
  argv: readonly [string, ...string[]],
  { cwd, env, timeoutMs }: RunToEndOptions,
): Promise<ProgramEnd> {
  const runner = openCommandRunner({ env, helper: sharedHelper() });
  try {
    const reply = await runner.run(
      { kind: 'command', run: isBatchFile(argv[0]) ? { line: quoted(argv) } : { argv }, env: 'inherit' },
      { kind: 'command', cwd },
      { timeoutMs, signal: NEVER },
    );
    if (reply.kind === 'exited') return { code: reply.code, output: `${reply.stdout}${reply.stderr}` };
    if (reply.kind !== 'broken') return { output: '', why: reply.kind };
    const { kind, detail } = reply.why;
    return {
      output: `${reply.stdout ?? ''}${reply.stderr ?? ''}`,
      why: [kind, detail].filter(Boolean).join(': '),
    };
  } finally {
    await runner.close();
  }
}

/** Windows starts these only through its shell. */
const isBatchFile = (file: string): boolean => process.platform === 'win32' && /\.(?:bat|cmd)$/i.test(file);
const quoted = (argv: readonly string[]): string => argv.map((word) => `"${word}"`).join(' ');
