/**
 * Runs a shell hook file: `pre/bash.sh` guards the tool `bash`, `post/bash.sh` receives its results. The event is on
 * stdin. JSON on stdout is an answer as from a module, and any exit code but 0 refuses.
 */

import { accessSync, constants } from 'node:fs';
import { extname } from 'node:path';
import { isPlain } from '../../../events/changes.ts';
import { SCRIPT_SHELLS } from '../dialect/script.ts';
import type { DiscoveredHook } from './discover.ts';
import { makeHook } from './make-hook.ts';
import { execProgram } from './run-program.ts';
import { currentWatch } from './stopwatch.ts';
import type { HookContext, LoadedHook, ToolCallEvent, ToolResultEvent } from './types/index.ts';

export function scriptHook(found: DiscoveredHook, cwd: string): LoadedHook {
  const { hook, api } = makeHook({ path: found.path, resolvedPath: found.path, cwd, warn() {} });
  const isMeant = (toolName: string) => found.tool === '*' || found.tool === toolName;
  if (found.type === 'pre')
    api.on('tool_call', async (event, ctx) => {
      if (!isMeant(event.toolName)) return undefined;
      const { code, killed, stdout, stderr } = await run(found, event, ctx);
      // Neither an answer nor a refusal: the script failed, so the call is refused like for any failing guard.
      if (code < 0 || killed) throw new Error(`${found.path} could not be run: ${stderr.trim() || 'killed'}`);
      return code === 0
        ? answerIn(stdout)
        : { block: true, reason: stderr.trim() || `${found.path} ended with ${code}` };
    });
  else
    api.on('tool_result', async (event, ctx) => {
      if (!isMeant(event.toolName)) return undefined;
      const { code, stdout, stderr } = await run(found, event, ctx);
      if (code !== 0) throw new Error(`${found.path} ended with ${code}: ${stderr.trim()}`);
      return answerIn(stdout);
    });
  return hook;
}

function run({ path }: DiscoveredHook, event: ToolCallEvent | ToolResultEvent, { cwd }: HookContext) {
  return execProgram({
    argv: isExecutable(path) ? [path] : [SCRIPT_SHELLS[extname(path)]!, path],
    cwd,
    stdin: JSON.stringify({ ...event, cwd }),
    signal: currentWatch()?.signal,
  });
}

/** Text that is not a JSON object is ignored. */
function answerIn(stdout: string): Record<string, unknown> | undefined {
  try {
    const document: unknown = JSON.parse(stdout);
    return isPlain(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
