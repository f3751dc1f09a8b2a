// @ts-nocheck: values of other people, in shapes that nobody promises
// What each package is asked about, at home and with us: one moment of each kind, in its agent's own words.

const SESSION = 'ses_1';
const user = {
  id: 'msg_1',
  sessionID: SESSION,
  role: 'user',
  time: { created: 1 },
  agent: 'build',
  model: { providerID: 'fake', modelID: 'fake-model' },
};
const text = { id: 'prt_1', sessionID: SESSION, messageID: 'msg_1', type: 'text', text: 'Please say hello.' };
const model = {
  id: 'fake-model',
  providerID: 'fake',
  name: 'Fake',
  api: { id: 'fake-model', url: '', npm: '@ai-sdk/openai-compatible' },
  limit: { context: 100_000, output: 8_000 },
  cost: { input: 0, output: 0, cache: { read: 0, write: 0 } },
  capabilities: { reasoning: false },
  options: {},
  headers: {},
};
const call = (tool) => ({ tool, sessionID: SESSION, callID: 'call_1' });

/** Harmless, and what a guard refuses. Only asked about: nothing here is run. */
export const DANGER = 'git reset --hard HEAD~1';

/** Hook, input, output. */
export const OPENCODE = [
  ['tool.execute.before', call('bash'), { args: { command: 'ls -l' } }],
  ['tool.execute.before', call('bash'), { args: { command: DANGER } }],
  ['tool.execute.before', call('read'), { args: { filePath: '/etc/hostname' } }],
  [
    'tool.execute.after',
    { ...call('bash'), args: { command: 'ls' } },
    { title: 'ls', output: 'a', metadata: {} },
  ],
  [
    'chat.message',
    { sessionID: SESSION, agent: 'build', model: user.model, messageID: 'msg_1' },
    { message: user, parts: [text] },
  ],
  [
    'chat.params',
    {
      sessionID: SESSION,
      agent: 'build',
      model,
      provider: { info: { id: 'fake' }, options: {} },
      message: user,
    },
    { temperature: 0, topP: 1, topK: 0, options: {} },
  ],
  [
    'chat.headers',
    {
      sessionID: SESSION,
      agent: 'build',
      model,
      provider: { info: { id: 'fake' }, options: {} },
      message: user,
    },
    { headers: {} },
  ],
  ['experimental.chat.system.transform', { sessionID: SESSION, model }, { system: ['You are helpful.'] }],
  ['experimental.chat.messages.transform', {}, { messages: [{ info: user, parts: [text] }] }],
  [
    'experimental.text.complete',
    { sessionID: SESSION, messageID: 'msg_2', partID: 'prt_2' },
    { text: 'done' },
  ],
  ['shell.env', { cwd: '/', sessionID: SESSION }, { env: {} }],
  ['command.execute.before', { command: 'none', sessionID: SESSION, arguments: '' }, { parts: [] }],
  [
    'permission.ask',
    {
      id: 'per_1',
      type: 'bash',
      pattern: 'ls',
      sessionID: SESSION,
      messageID: 'msg_1',
      callID: 'call_1',
      title: 'ls',
      metadata: {},
      time: { created: 1 },
    },
    { status: 'ask' },
  ],
  [
    'tool.definition',
    { toolID: 'bash' },
    { description: 'Runs a command.', parameters: { type: 'object', properties: {} } },
  ],
];

const tool = (toolName, input) => ({ type: 'tool_call', toolCallId: 'c1', toolName, input });
/** Events of pi, and of oh-my-pi. */
export const PI = [
  { type: 'session_start', reason: 'startup' },
  {
    type: 'before_agent_start',
    prompt: 'Please say hello.',
    systemPrompt: 'You are helpful.',
    systemPromptOptions: {},
  },
  { type: 'agent_start' },
  { type: 'turn_start', turnIndex: 0, timestamp: 1 },
  {
    type: 'context',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Please say hello.' }], timestamp: 1 }],
  },
  tool('bash', { command: 'ls -l' }),
  tool('bash', { command: DANGER }),
  tool('read', { path: '/etc/hostname' }),
  {
    type: 'tool_result',
    toolCallId: 'c1',
    toolName: 'bash',
    input: { command: 'ls' },
    content: [{ type: 'text', text: 'a' }],
    details: {},
    isError: false,
  },
  {
    type: 'turn_end',
    turnIndex: 0,
    message: { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }], timestamp: 1 },
    toolResults: [],
  },
  { type: 'agent_end', messages: [] },
  { type: 'session_shutdown' },
];

/** What differs from run to run says nothing. @param {unknown} value */
export const settled = (value) =>
  JSON.parse(
    (JSON.stringify(value) ?? 'null')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/\b1[6-9]\d{11}\b/g, '0')
      .replaceAll(process.env['HOME'] ?? '<home>', '<home>')
      .replaceAll(process.cwd(), '<cwd>'),
  );

const claude = (hook_event_name, more) => ({
  session_id: 'ses_1',
  transcript_path: '/nowhere/transcript.jsonl',
  permission_mode: 'default',
  hook_event_name,
  ...more,
});
const claudeTool = (tool_name, tool_input, more = {}) => ({
  tool_name,
  tool_input,
  tool_use_id: 'toolu_1',
  ...more,
});
/** Payloads of Claude Code. @param {string} danger */
export const CLAUDE = (danger) => [
  claude('SessionStart', { source: 'startup' }),
  claude('UserPromptSubmit', { prompt: 'Please say hello.' }),
  claude('PreToolUse', claudeTool('Bash', { command: 'ls -l' })),
  claude('PreToolUse', claudeTool('Bash', { command: danger })),
  claude('PreToolUse', claudeTool('Read', { file_path: '/etc/hostname' })),
  claude('PreToolUse', claudeTool('Write', { file_path: '/nowhere/a.txt', content: 'a' })),
  claude(
    'PostToolUse',
    claudeTool('Bash', { command: 'ls' }, { tool_response: { stdout: 'a', stderr: '', interrupted: false } }),
  ),
  claude('PreCompact', { trigger: 'manual', custom_instructions: '' }),
  claude('Stop', { stop_hook_active: false }),
];
