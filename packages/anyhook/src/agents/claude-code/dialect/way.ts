/** Creates the `run` field of a hook from its handler. */

import type { Spot } from '../../../events/checker.ts';
import type { Place } from '../../../events/dialect.ts';
import type { Way } from '../../../events/hook.ts';
import { judgePrompt as asked } from '../../../events/question.ts';
import type { ClaudeHandler } from './definition.ts';
import { CLAUDE_VARIABLES } from './environment.ts';
import { forPowerShell, substitute } from './placeholders.ts';

const OTHERWISE = `when there is one. When the agent wants to stop and what is missing cannot be done at all,
answer {"ok": false, "reason": "…", "impossible": true}.`;

const claudeJudgePrompt = (words: string): string => asked(words, OTHERWISE);

/** Undefined when the handler lacks a required key; `readDefinition` has reported it. */
export function wayOf(handler: ClaudeHandler, { vars = {} }: Place, spot: Spot): Way | undefined {
  const { type, url, headers, allowedEnvVars, server, tool, input, prompt, model } = handler;
  switch (type) {
    case 'command': {
      const run = runOf(handler, vars, spot);
      return (
        run && {
          kind: 'command',
          run,
          env: CLAUDE_VARIABLES,
          ...(Object.keys(vars).length > 0 && { set: vars }),
          ...(vars['CLAUDE_PLUGIN_DATA'] !== undefined && { folders: [vars['CLAUDE_PLUGIN_DATA']] }),
        }
      );
    }
    case 'http':
      if (url === undefined || !isSound(url, spot.part('url'))) return undefined;
      return {
        kind: 'http',
        url,
        ...(headers && { headers }),
        ...(allowedEnvVars && { env: allowedEnvVars }),
      };
    case 'mcp_tool':
      if (server === undefined || tool === undefined) return undefined;
      return { kind: 'mcp', server, tool, ...(input && { input }) };
    default:
      return prompt === undefined
        ? undefined
        : {
            kind: 'prompt',
            text: claudeJudgePrompt(prompt),
            ...(model && { model }),
            ...(type === 'agent' && { looks: true as const }),
          };
  }
}

/** The target is checked when the request is sent. This only checks whether the URL is valid. */
function isSound(url: string, spot: Spot): boolean {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const why =
    parsed === undefined || !/^https?:$/.test(parsed.protocol)
      ? 'is not an http or https URL'
      : parsed.username !== '' || parsed.password !== ''
        ? 'contains a user name or password'
        : undefined;
  if (why !== undefined)
    spot.report('bad-value', `${JSON.stringify(url)} ${why}`, {
      remedy: 'Put credentials into "headers", with "allowedEnvVars".',
    });
  return why === undefined;
}

type Run = Extract<Way, { kind: 'command' }>['run'];

/** With `args`, even if empty, no shell is used, and program and arguments are passed unchanged. */
function runOf(handler: ClaudeHandler, vars: Readonly<Record<string, string>>, spot: Spot): Run | undefined {
  const { command, args, shell } = handler;
  if (command === undefined) return undefined;
  const unanswered = (args === undefined ? [command] : [command, ...args]).find((word) =>
    /\$\{user_config\./.test(args === undefined ? word : substitute(word, vars)),
  );
  if (unanswered !== undefined)
    spot.report(
      'bad-value',
      args === undefined
        ? `${unanswered}: answers are not inserted into a shell command line`
        : `${unanswered}: this plugin question has no answer`,
      {
        remedy:
          args === undefined
            ? 'Read $CLAUDE_PLUGIN_OPTION_<KEY>, or use "args".'
            : 'Answer it with: claude plugin configure. Secret answers cannot be read here.',
      },
    );
  if (args !== undefined) {
    const words = [command, ...args].map((word) => substitute(word, vars));
    return { argv: words as [string, ...string[]] }; // the command is the first item
  }
  if (shell === 'powershell') return { line: forPowerShell(command), shell: 'pwsh' };
  return { line: command, ...(shell !== undefined && { shell }) };
}
