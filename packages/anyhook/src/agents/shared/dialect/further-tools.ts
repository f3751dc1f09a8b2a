import type { ToolColumn, ToolName, ToolWords } from '../../../events/tools.ts';

/** `run terminal cmd` → run_terminal_cmd, runTerminalCmd, run-terminal-cmd, RunTerminalCmd. */
function spelled(...names: readonly string[]): [string, ...string[]] {
  const all = names.flatMap((name) => {
    const words = name.split(' ');
    const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
    return [words.join('_'), camel, words.join('-'), pascal];
  });
  return [...new Set(all)] as [string, ...string[]];
}

const PATH = [
  'path',
  'file_path',
  'filePath',
  'filepath',
  'target_file',
  'TargetFile',
  'AbsolutePath',
] as const;
const words = <T extends ToolName>(
  names: [string, ...string[]],
  args: ToolWords<T>['args'],
): ToolWords<T> => ({ names, args });

/**
 * Tool names of agents and frameworks without a dialect: Amazon Q and Kiro, Amp, Augment, Cline and Roo, Codex's
 * models, Continue, Copilot, Crush, Droid, Grok, Qwen, OpenHands, VS Code, Windsurf, Zed, deepagents, Mastra. Names in
 * a dialect's column are not repeated. A call only matches if it has the tool's first argument (`isLikely`). Tools with
 * other names are recognised by their arguments (`events/tool-shapes.ts`).
 */
export const furtherTools: ToolColumn = {
  isLikely: true,
  shell: words(
    [
      ...spelled(
        'run terminal command',
        'run terminal cmd',
        'run in terminal',
        'run command',
        'run bash',
        'run bash command',
        'run shell',
        'run cmd',
        'execute command',
        'execute bash',
        'execute shell',
        'execute shell command',
        'execute terminal command',
        'exec command',
        'exec shell',
        'shell command',
        'shell exec',
        'local shell',
        'bash command',
        'bash tool',
        'shell tool',
        'terminal command',
        'launch process',
        'start process',
        'bash code execution',
        'unified exec',
      ),
      'Execute',
      'PowerShell',
      'powershell',
      'pwsh',
      'terminal',
      'Terminal',
      'Shell',
      'container.exec',
      'functions.shell',
      'functions.exec_command',
    ],
    {
      command: [
        'command',
        'cmd',
        'script',
        'commandLine',
        'command_line',
        'CommandLine',
        'shell_command',
        'bash_command',
      ],
      cwd: ['workdir', 'working_directory', 'workingDirectory', 'cwd', 'Cwd', 'cd'],
    },
  ),
  read: words([...spelled('view file', 'open file', 'cat file', 'read text file', 'file read'), 'view'], {
    path: [...PATH, 'absolute_path', 'filename', 'uri'],
  }),
  write: words(
    [
      ...spelled('write to file', 'create file', 'create new file', 'save file', 'new file', 'file write'),
      'create',
      'Create',
    ],
    {
      path: [...PATH, 'absolute_path', 'filename', 'uri'],
      content: ['file_text', 'contents', 'text', 'file_content', 'CodeContent'],
    },
  ),
  edit: words(
    [
      ...spelled(
        'search replace',
        'search and replace',
        'replace in file',
        'replace string in file',
        'str replace',
        'string replace',
        'edit existing file',
        'single find and replace',
        'insert edit into file',
        'replace file content',
        'file edit',
        'modify file',
        'apply diff',
        'insert content',
      ),
    ],
    {
      path: [...PATH, 'absolute_path', 'filename'],
      old: ['old_str', 'old_string', 'oldString', 'old_text', 'search', 'find'],
      new: ['new_str', 'new_string', 'newString', 'new_text', 'replace', 'replacement'],
    },
  ),
  'multi-edit': words([...spelled('multi edit', 'multi replace string in file', 'multi edit file')], {
    path: PATH,
    edits: ['edits', 'replacements', 'changes', 'ReplacementChunks'],
  }),
  patch: words([...spelled('apply patch', 'patch file')], { patch: ['patch', 'input', 'patchText', 'diff'] }),
  editor: words(
    [
      ...spelled(
        'str replace editor',
        'str replace based edit tool',
        'text editor',
        'text editor code execution',
        'fs write',
      ),
    ],
    {
      path: ['path'],
      action: ['command'],
      content: ['file_text'],
      old: ['old_str'],
      new: ['new_str'],
    },
  ),
  glob: words([...spelled('find files', 'file search', 'glob file search', 'find by name')], {
    pattern: ['pattern', 'query', 'glob_pattern', 'Pattern'],
    path: ['path', 'dir_path', 'SearchDirectory'],
  }),
  grep: words([...spelled('search files', 'grep search', 'search file content', 'ripgrep', 'code grep')], {
    pattern: ['pattern', 'query', 'regex', 'Query'],
    path: ['path', 'dir_path', 'SearchPath'],
    glob: ['include', 'file_pattern', 'includePattern'],
  }),
  fetch: words([...spelled('fetch url', 'fetch webpage', 'read url content', 'web fetch', 'url fetch')], {
    url: ['url', 'Url', 'urls'],
  }),
  task: words(['agent', 'spawn_subagent', ...spelled('new task', 'run subagent', 'dispatch agent')], {
    prompt: ['prompt', 'message', 'task'],
    type: ['agent_type', 'subagent_type', 'mode'],
  }),
  todo: words([...spelled('update todo list', 'manage todo list', 'write todos')], {
    todos: ['todos', 'todoList', 'items'],
  }),
};
