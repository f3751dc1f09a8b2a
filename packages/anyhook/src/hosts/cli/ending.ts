import { safe } from '../../views/safe.ts';
import { whenMade } from './quick/when-made.ts';

/** What a command does when nobody reads its output any more: `end`, or `go on`, because its exit code is read too. */
type WhenUnread = 'end' | 'go on';

/** How a command ends: 2 for wrong use with one line that says what, 70 for our own fault with all we know. */
export async function ending(
  run: () => Promise<number>,
  whenUnread: WhenUnread,
  wrongUse = 2,
): Promise<void> {
  for (const name of ['stdout', 'stderr'] as const)
    whenMade(name, (stream) =>
      stream.on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code !== 'EPIPE' || whenUnread === 'end') process.exit(code === 'EPIPE' ? 0 : 70);
      }),
    );
  try {
    process.exitCode = await run();
  } catch (error) {
    const { name, message, stack } = error as Error;
    const known = name === 'UsageError'; // by name: it may come from a bundle's copy
    process.stderr.write(`anyhook: ${safe(known ? message : (stack ?? String(error)))}\n`);
    process.exitCode = known ? wrongUse : 70;
  }
}
