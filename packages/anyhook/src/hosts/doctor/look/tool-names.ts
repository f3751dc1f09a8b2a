/**
 * Names of tools that agents have beside the ones every agent has (`dialects/<name>/tools.ts`), so that a matcher for one
 * of them is not taken for a slip. Written down by hand, newest first to go stale: a name that is missing
 * here costs a warning, never a hook.
 */
import { DIALECTS } from '../../../assemble.ts';
import { namesIn } from '../../../canon/lexicon.ts';
import { TOOLS } from '../../../canon/tools.ts';

const MORE: Readonly<Record<string, string>> = {
  'claude-code':
    'NotebookEdit NotebookRead WebSearch ExitPlanMode EnterPlanMode AskUserQuestion BashOutput KillShell KillBash Skill SlashCommand LS TodoRead TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop ListMcpResourcesTool ReadMcpResourceTool LSP ToolSearch StructuredOutput SendMessage TeamCreate TeamDelete CronCreate CronDelete CronList EnterWorktree ExitWorktree Monitor PowerShell',
  codex:
    'Edit Write view_image web_search exec_command write_stdin shell local_shell wait_agent close_agent send_input',
  'gemini-cli':
    'list_directory read_many_files google_web_search save_memory activate_skill ask_user enter_plan_mode exit_plan_mode get_internal_docs complete_task',
  goose: 'text_editor analyze tree read_image subagent todo_write load_skill',
  opencode:
    'list patch apply_patch websearch codesearch todoread skill lsp question batch plan_enter plan_exit',
  'oh-my-pi':
    'ls python lsp browser web_search ssh ask calc notebook exit_plan_mode submit_result checkpoint rewind debug ast_grep ast_edit eval job irc search inspect_image generate_image',
  opta: 'list_dir search_files find_files web_search web_fetch delete_file ask_user spawn_agent',
};

/** By dialect; our own hooks may use anybody's. */
export function toolNames(offered: Iterable<string> = []): {
  of(dialect: string): ReadonlySet<string>;
  all: ReadonlySet<string>;
} {
  const byDialect = new Map(
    DIALECTS.map(({ name, tools }) => [
      name,
      new Set([
        ...Object.keys(TOOLS).flatMap((tool) => namesIn(tools, tool)),
        ...(MORE[name]?.split(' ') ?? []),
        ...offered,
      ]),
    ]),
  );
  const all = new Set([...byDialect.values()].flatMap((names) => [...names]));
  return { all, of: (dialect) => (dialect === 'anyhook' ? all : (byDialect.get(dialect) ?? all)) };
}
