import { safe } from '../../views/safe.ts';

/** How a command ends: 2 for wrong use with one line that says what, 70 for our own fault with all we know. */
export async function ending(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const { name, message, stack } = error as Error;
    const known = name === 'UsageError'; // by name: it may come from a bundle's copy
    process.stderr.write(`anyhook: ${safe(known ? message : (stack ?? String(error)))}\n`);
    process.exitCode = known ? 2 : 70;
  }
}
