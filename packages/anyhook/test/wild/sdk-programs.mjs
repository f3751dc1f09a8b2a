// @ts-nocheck: values of other people, in shapes that nobody promises
// A published program on the Claude Agent SDK, used as its page says. With `ours`, the `query` it imports is ours and the
// rest of the SDK stays. One question, one refused call, one that runs; says in one line what came of it.

import { writeSync } from 'node:fs';
import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { settled } from './moments.mjs';

const [whose, name, entry, sdk, cli] = process.argv.slice(2);
const OURS = new URL('../../dist/agents/claude-agent-sdk/api/index.js', import.meta.url).href;
const sdkUrl = pathToFileURL(sdk).href;
const wanted =
  whose === 'ours'
    ? `data:text/javascript,${encodeURIComponent(`export * from ${JSON.stringify(sdkUrl)}; export { query } from ${JSON.stringify(OURS)};`)}`
    : sdkUrl;
const resolver = `export const resolve = (name, context, next) => name === '@anthropic-ai/claude-agent-sdk' ? { url: ${JSON.stringify(wanted)}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(resolver)}`);

const started = performance.now();
const program = await import(pathToFileURL(entry).href);
const ms = performance.now() - started;
const heard = [];
const refusing = async (input) => {
  heard.push(`${input.hook_event_name} ${input.tool_input?.command ?? ''}`.trim());
  return input.tool_input?.command?.includes('danger')
    ? {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'deny',
          permissionDecisionReason: 'not that one',
        },
      }
    : {};
};
const options = {
  cwd: process.cwd(),
  env: { ...process.env },
  pathToClaudeCodeExecutable: cli,
  permissionMode: 'bypassPermissions',
  allowDangerouslySkipPermissions: true,
  settingSources: [],
  hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [refusing] }], Stop: [{ hooks: [refusing] }] },
};
const PROMPT = 'Please do the task.';
const answers = await PROGRAMS()[name]();
writeSync(
  1,
  `\n@@${JSON.stringify({ ms, registered: { exports: Object.keys(program).toSorted() }, answers: settled([...answers, { heard }]) })}\n`,
);
process.exit(0);

function PROGRAMS() {
  return {
    'ai-sdk-provider-claude-code': async () => {
      const model = program.createClaudeCode({ defaultSettings: options })('sonnet');
      const prompt = [{ role: 'user', content: [{ type: 'text', text: PROMPT }] }];
      const { content, finishReason } = await model.doGenerate({ prompt });
      const kinds = [];
      const { stream } = await model.doStream({ prompt });
      for await (const { type } of stream) if (kinds.at(-1) !== type) kinds.push(type);
      return [
        { content: content.map(({ type, text, toolName, input }) => ({ type, text, toolName, input })) },
        { finishReason },
        { kinds },
      ];
    },
    // An agent of the Agent Client Protocol, as an editor drives it: the person is asked about each call.
    '@zed-industries/claude-agent-acp': async () => {
      const asked = [];
      const told = [];
      const agent = new program.ClaudeAcpAgent({
        sessionUpdate: async ({ update }) => {
          if (told.at(-1) !== update.sessionUpdate) told.push(update.sessionUpdate);
        },
        requestPermission: async ({ toolCall, options: choices }) => {
          asked.push([toolCall.title, choices.map(({ kind }) => kind)]);
          return { outcome: { outcome: 'selected', optionId: 'allow' } };
        },
      });
      process.env['CLAUDE_CODE_EXECUTABLE'] = cli;
      await agent.initialize({ protocolVersion: 1, clientCapabilities: {} });
      const { cwd, hooks } = options;
      const _meta = { claudeCode: { options: { hooks, settingSources: [] } } };
      const session = await agent.newSession({ cwd, mcpServers: [], _meta });
      const { sessionId, modes, models } = session;
      const first = await agent.prompt({ sessionId, prompt: [{ type: 'text', text: PROMPT }] });
      await agent.setSessionMode({ sessionId, modeId: 'acceptEdits' });
      const second = await agent.prompt({ sessionId, prompt: [{ type: 'text', text: PROMPT }] });
      await agent.cancel({ sessionId });
      return [
        { modes: modes.availableModes.map(({ id }) => id), models: models.availableModels.length > 0 },
        { asked },
        { told: [...new Set(told)].toSorted() },
        { ends: [first.stopReason, second.stopReason] },
      ];
    },
  };
}
