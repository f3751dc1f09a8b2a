/**
 * What the managed settings of agents start: root's own program by its full name, and nothing that a user could put in its
 * place. So no engine is asked, which is the user's process, and no variable that has Node load other code is handed on.
 */
import { failedLines, quoted } from '../../agents/shared/command-line.ts';
import type { LauncherParts } from './launcher.ts';

export const managedLauncherText = ({
  node,
  bin,
}: Pick<
  LauncherParts,
  'node' | 'bin'
>): string => `# anyhook: read by the lines that \`anyhook install --managed\` puts into agents, with the words of \`anyhook fire\`.
# Written anew by \`anyhook install --managed\`. $closed: a failure refuses, and otherwise ends with 1, or as the agent wants it.
node=${quoted(node)} bin=${quoted(bin)} engine=
unset NODE_OPTIONS NODE_PATH

# Nobody has answered, and why.
${failedLines(' Ask whoever keeps this machine.')}
[ -x "$node" ] || failed ": $node is gone."
[ -r "$bin" ] || failed ": $bin is gone."
"$node" "$bin" "$@" --engine off:/
status=$?
case $status in 0 | 2) exit "$status" ;; esac
failed " (exit $status). See: anyhook doctor."
`;
