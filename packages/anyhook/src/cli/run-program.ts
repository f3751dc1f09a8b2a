import { safe } from '../render/safe.ts';

/** Our own fault, as sysexits has it. */
const EXIT_INTERNAL = 70;

/** Ends with 2 and one line for wrong use, with 70 and everything we know for a fault of our own. */
export async function runProgram(run: () => Promise<number>): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      // Nobody reads the output any more, as after `| head`. The exit code is still read.
      if (code !== 'EPIPE') process.exit(EXIT_INTERNAL);
    });
  try {
    process.exitCode = await run();
  } catch (error) {
    const { name, message, stack, exitCode } = error as Error & { readonly exitCode?: number };
    const isWrongUse = name === 'UsageError'; // by name: another bundle may have its own class
    process.stderr.write(`anyhook: ${safe(isWrongUse ? message : (stack ?? String(error)))}\n`);
    process.exitCode = isWrongUse ? (exitCode ?? 2) : EXIT_INTERNAL;
  }
}
