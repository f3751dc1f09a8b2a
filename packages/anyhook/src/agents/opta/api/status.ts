/** The status line: the message of the hook that began last among those still running. */
import type { Hook } from '../../../events/hook.ts';

export function makeStatus(show: (message: string | undefined) => void) {
  const running: string[] = [];
  const tell = () => {
    try {
      show(running.at(-1));
    } catch {
      // A status line that cannot be drawn must not decide whether a tool runs.
    }
  };
  return {
    onStart({ status }: Hook): void {
      if (status === undefined) return;
      running.push(status);
      tell();
    },
    onEnd({ status }: Hook): void {
      if (status === undefined) return;
      running.splice(running.lastIndexOf(status), 1);
      tell();
    },
  };
}
