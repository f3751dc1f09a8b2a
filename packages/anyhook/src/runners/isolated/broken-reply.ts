import type { HookFailure, Reply } from '../../events/exchange.ts';
import type { ModuleProcess } from './module-process.ts';

/** A failure of a module's process, with its output until then. */
export function brokenReply(why: HookFailure, from?: ModuleProcess): Reply {
  const { stdout, stderr } = from ?? {};
  if (!stdout?.text && !stderr?.text) return { kind: 'broken', why };
  const cut = {
    ...(stdout?.dropped ? { stdout: stdout.dropped } : {}),
    ...(stderr?.dropped ? { stderr: stderr.dropped } : {}),
  };
  const notes = Object.keys(cut).length === 0 ? {} : { notes: { truncated: cut } };
  return { kind: 'broken', why, stdout: stdout?.text ?? '', stderr: stderr?.text ?? '', ...notes };
}
