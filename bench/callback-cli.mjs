// Stands in for the CLI at the other end of the control protocol: asks for the hooks' answers, alone and ten at once, and
// says in its result what one took, in nanoseconds.

import { createInterface } from 'node:readline';

const [WARM, ONE, TEN] = [400, 2000, 300];
const waiting = new Map();
let callbacks = [];
let lastId = 0;
const say = (message) => void process.stdout.write(`${JSON.stringify(message)}\n`);

const ask = (callback) =>
  new Promise((resolve) => {
    const id = `ask-${++lastId}`;
    waiting.set(id, resolve);
    const input = {
      session_id: 's',
      transcript_path: '/dev/null',
      cwd: '/',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: id,
    };
    const request = { subtype: 'hook_callback', callback_id: callback, input, tool_use_id: id };
    say({ type: 'control_request', request_id: id, request });
  });

async function measure() {
  /** The median: on a machine that does other things too, the mean is what those things took. */
  const time = async (times, work) => {
    const took = [];
    for (let i = 0; i < WARM + times; i++) {
      const began = performance.now();
      await work();
      took.push(performance.now() - began);
    }
    return took.slice(WARM).toSorted((one, other) => one - other)[times >> 1] * 1e6;
  };
  const oneNs = await time(ONE, () => ask(callbacks[0]));
  const tenNs = await time(TEN, () => Promise.all(callbacks.map(ask)));
  const result = JSON.stringify({ oneNs, tenNs });
  say({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result,
    session_id: 's',
    uuid: '00000000-0000-4000-8000-000000000000',
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    total_cost_usd: 0,
    usage: {},
    permission_denials: [],
  });
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line);
    if (message.type === 'control_response') {
      const { request_id: id, response } = message.response;
      waiting.get(id)?.(response);
      waiting.delete(id);
    } else if (message.type === 'control_request') {
      const { request_id, request } = message;
      if (request.subtype === 'initialize')
        callbacks = (request.hooks?.PreToolUse ?? []).flatMap(({ hookCallbackIds }) => hookCallbackIds);
      const response = { commands: [], models: [], agents: [], output_style: 'default', account: {} };
      say({ type: 'control_response', response: { subtype: 'success', request_id, response } });
    } else if (message.type === 'user') void measure();
  })
  .on('close', () => process.exit(0));
