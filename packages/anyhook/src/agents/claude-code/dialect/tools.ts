import type { ToolColumn } from '../../../events/tools.ts';

/** Claude Code's tool names (2.1.325). `Task` is the former name of `Agent`. */
export const tools: ToolColumn = {
  shell: {
    names: ['Bash'],
    args: {
      command: ['command'],
      description: ['description'],
      timeout: ['timeout'],
      background: ['run_in_background'],
    },
  },
  read: { names: ['Read'], args: { path: ['file_path'], offset: ['offset'], limit: ['limit'] } },
  write: { names: ['Write'], args: { path: ['file_path'], content: ['content'] } },
  edit: {
    names: ['Edit'],
    args: { path: ['file_path'], old: ['old_string'], new: ['new_string'], all: ['replace_all'] },
  },
  'multi-edit': { names: ['MultiEdit'], args: { path: ['file_path'], edits: ['edits'] } },
  patch: null,
  editor: null,
  glob: { names: ['Glob'], args: { pattern: ['pattern'], path: ['path'] } },
  grep: { names: ['Grep'], args: { pattern: ['pattern'], path: ['path'], glob: ['glob'] } },
  fetch: { names: ['WebFetch'], args: { url: ['url'], prompt: ['prompt'] } },
  task: {
    names: ['Agent', 'Task'],
    args: { description: ['description'], prompt: ['prompt'], type: ['subagent_type'] },
  },
  todo: { names: ['TodoWrite'], args: { todos: ['todos'] } },
};

export const otherTools =
  'NotebookEdit NotebookRead WebSearch ExitPlanMode EnterPlanMode AskUserQuestion BashOutput KillShell KillBash Skill SlashCommand LS TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop ListMcpResourcesTool ReadMcpResourceTool LSP ToolSearch StructuredOutput SendMessage TeamCreate TeamDelete CronCreate CronDelete CronList EnterWorktree ExitWorktree Monitor PowerShell'.split(
    ' ',
  );
