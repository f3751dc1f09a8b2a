/** The process groups that are running: none outlives a host that ends in good order. */
import type { ChildProcess } from 'node:child_process';

const running = new Set<ChildProcess>();
let isListening = false;

/** Returns how to forget it. */
export function keepGroup(child: ChildProcess): () => void {
  running.add(child);
  if (!isListening) {
    isListening = true;
    process.once('exit', () => running.forEach(killChildGroup));
  }
  return () => void running.delete(child);
}

export function killChildGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
