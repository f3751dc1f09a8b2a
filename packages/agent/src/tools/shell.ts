import { z } from 'zod';
import { resolvePath } from './resolve-path.ts';
import { runCommand } from './run-command.ts';
import { Spill } from './spill.ts';
import { defineTool } from './tool.ts';

const DEFAULT_MS = 120_000;
const LONGEST_MS = 600_000;
/** How long to wait so that a background command that fails immediately is reported. */
const FIRST_MS = 300;

export const shell = defineTool({
  name: 'shell',
  description: `Runs a command in bash and answers with its output. After ${DEFAULT_MS / 1000} s it is ended; set timeout for more.`,
  schema: z.object({
    command: z.string().min(1),
    timeout: z.int().min(1).max(LONGEST_MS).optional().describe('Milliseconds'),
    description: z.string().optional().describe('What it does, in a few words'),
    background: z.boolean().optional().describe('Do not wait for it; it ends with the session'),
    cwd: z.string().optional(),
  }),
  async execute({ command, timeout = DEFAULT_MS, description, background = false, cwd }, scene) {
    const spill = new Spill();
    let isOver = false;
    const end = await runCommand(command, {
      cwd: cwd === undefined ? scene.cwd : resolvePath(scene.cwd, cwd),
      env: await scene.env(),
      signal: scene.signal,
      timeoutMs: background ? undefined : timeout,
      answerMs: background ? FIRST_MS : undefined,
      onOutput: (text) => {
        spill.append(text);
        if (!isOver) scene.progress(text);
      },
    });
    isOver = true;
    scene.signal.throwIfAborted();
    const { text, file } = spill.shown;
    const note = {
      exited: end.kind === 'exited' && end.code !== 0 ? `[exit code ${end.code}]` : '',
      killed: end.kind === 'killed' ? `[ended by ${end.by}]` : '',
      'timed-out': `[ended after ${timeout} ms, with all it had started]`,
      running: end.kind === 'running' ? `[runs in the background as process ${end.pid}]` : '',
      'not-started': end.kind === 'not-started' ? `The command could not be started: ${end.why}.` : '',
    }[end.kind];
    const isFine = end.kind === 'running' || (end.kind === 'exited' && end.code === 0);
    return {
      output: [text.trimEnd(), note].filter((part) => part !== '').join('\n') || '(no output)',
      title: description ?? command,
      metadata: {
        ...(end.kind === 'exited' && { exitCode: end.code }),
        ...(end.kind === 'running' && { pid: end.pid }),
        ...(file !== undefined && { outputFile: file }),
      },
      ...(!isFine && { isError: true, hasEnded: true }),
    };
  },
});
