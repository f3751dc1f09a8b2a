/** Shows each hook of a project in full and asks the user whether to trust it. */

import type { Hooks } from 'anyhook';
import { safe, whatRuns } from 'anyhook/views';
import type { Dialogs } from './person.ts';

type TrustQuestions = Pick<Hooks, 'examined' | 'grant'>;
type ExaminedHook = Hooks['examined'][number];

/** The first option, so that pressing enter by accident does not accept. */
const NO = 'No, it does not run';
const YES = 'Yes, run exactly this';

/**
 * Returns true if something was trusted, which means that the hooks must be reloaded. Hooks that may not be asked about stay untrusted.
 */
export async function askTrust(
  { examined, grant }: TrustQuestions,
  ui: Pick<Dialogs, 'notify' | 'select'>,
): Promise<boolean> {
  let isGranted = false;
  for (const one of examined) {
    const { state, hash, mayAsk } = one.judgement;
    if (!mayAsk || (state !== 'unknown' && state !== 'modified')) continue;
    ui.notify(shown(one), 'warning');
    if ((await ui.select(`Do you trust exactly this?\n${hash}`, [NO, YES])) !== YES) continue;
    const result = grant(one.entry);
    if (result.kind === 'failed') ui.notify(result.problem.message, 'error');
    else isGranted = true;
  }
  return isGranted;
}

/** Shows the exact bytes that will run, or the difference to the bytes that were trusted earlier. */
function shown({ file, line, hook, entry, judgement }: ExaminedHook): string {
  const { state, diff, trustedFiles } = judgement;
  const where = `${file}:${line}`;
  const what = hook === undefined ? asked(entry.fields) : `${hook.dialect} ${hook.on}: ${whatRuns(hook)}`;
  const head =
    state === 'modified'
      ? `This project changed what you trusted (${where}):`
      : `This project wants to run (${where}):`;
  const contents = trustedFiles.files.map(
    ({ name, bytes }) => `── ${name}\n${bytes.toString('utf8').trimEnd()}`,
  );
  const { doubts } = trustedFiles;
  const untold =
    doubts.length === 0
      ? []
      : [
          'Not everything that this runs is known. Code that it loads may change unnoticed:',
          ...doubts.map((doubt) => `- ${doubt}`),
        ];
  return [head, what, ...(diff === undefined ? contents : [diff]), ...untold].map(safe).join('\n');
}

/** Describes a module or an MCP server. */
function asked({ dialect, module, mcpServer, server, options }: ExaminedHook['entry']['fields']): string {
  if (mcpServer !== undefined) return `the MCP server ${String(mcpServer)}: ${JSON.stringify(server)}`;
  const given = options === undefined ? '' : ` with ${JSON.stringify(options)}`;
  return `the ${String(dialect)} module ${String(module)}${given}`;
}
