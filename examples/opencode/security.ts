/** Refuses commands that destroy and writes to system folders. */

import type { Plugin } from '@opencode-ai/plugin';

const DANGEROUS = [/rm\s+-rf\s+\//, />\s*\/dev\/sd/, /mkfs\./, /dd\s+if=/];
const SYSTEM = ['/etc/', '/usr/'];

const security: Plugin = async () => ({
  'permission.ask': async (input, output) => {
    // OpenCode's own fields; `input.tool` and `input.args`, as its document has them, are there too.
    const command = String(input.metadata['command'] ?? '');
    if (input.type === 'bash' && DANGEROUS.some((pattern) => pattern.test(command))) output.status = 'deny';
  },
  'tool.execute.before': async (input, output) => {
    const path = String(output.args?.path ?? '');
    if (input.tool === 'write' && SYSTEM.some((folder) => path.startsWith(folder)))
      throw new Error('Cannot write to system directories');
  },
});

export default security;
