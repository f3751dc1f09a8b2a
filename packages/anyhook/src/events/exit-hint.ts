/** For hooks that exit with 1 where the author probably wants the agent to continue. `list` looks for it in records. */
export const EXIT_HINT =
  'Only exit 2 makes the agent continue. To let every exit code but 0 do that, set "exit": "any".';
