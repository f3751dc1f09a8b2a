/** One line per event, prompt and call. Whatever a message holds, it is one literal argument of `echo`. */

import type { Plugin } from '@opencode-ai/plugin';

const auditLog: Plugin = async ({ $, directory }) => {
  const file = `${directory}/.opencode/audit.log`;
  await $`mkdir -p ${directory}/.opencode`;
  const log = async (message: string) => {
    await $`echo "${new Date().toISOString()}: ${message}" >> ${file}`;
  };
  return {
    event: ({ event }) => log(`event ${event.type}`),
    'chat.message': ({ sessionID }) => log(`prompt in session ${sessionID}`),
    'tool.execute.before': ({ tool }, { args }) => log(`${tool} starts with ${JSON.stringify(args)}`),
    'tool.execute.after': ({ tool }, { title }) => log(`${tool} is done: ${title}`),
  };
};

export default auditLog;
