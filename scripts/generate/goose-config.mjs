/**
 * The configuration of the Goose hooks in `contrib`: one file that works when it alone is copied, as the document installs it.
 * Each command runs the installed script, or else the text of the script that is written into the command.
 */
const HOOKS = /** @type {const} */ ([
  ['SessionStart', undefined, 'session-start', 15],
  ['UserPromptSubmit', undefined, 'context-inject', 10],
  ['PreToolUse', undefined, 'permit-check', 5],
  ['PreToolUse', 'developer__shell', 'pre-tool-use', 5],
  ['Stop', undefined, 'session-stop', 10],
]);
const END = 'AUGMENTUM_SCRIPT';

/** @param {string} name @param {string} script */
function command(name, script) {
  if (script.includes(END))
    throw new Error(`augmentum-${name}.sh contains ${END}, which ends its text in hooks.json`);
  return [
    `f="\${AUGMENTUM_HOOKS:-$HOME/.config/goose/hooks}/augmentum-${name}.sh"; [ -x "$f" ] && exec "$f"`,
    `exec bash -c "$(cat <<'${END}'`,
    script.trimEnd(),
    END,
    ')"',
  ].join('\n');
}

/** @param {(file: string) => string} textOf */
export function gooseConfig(textOf) {
  /** @type {Record<string, object[]>} */
  const hooks = {};
  for (const [event, matcher, name, timeout] of HOOKS) {
    const script = textOf(`contrib/hooks/augmentum-${name}.sh`);
    const action = { type: 'command', command: command(name, script), timeout };
    (hooks[event] ??= []).push({ ...(matcher && { matcher }), hooks: [action] });
  }
  return `${JSON.stringify({ hooks }, null, 2)}\n`;
}
