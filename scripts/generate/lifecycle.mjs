/** The life of a session, drawn once for every page that shows it. */
export const LIFECYCLE = `
\`\`\`
 config.loaded · auth.offered · tool.offered             when the host starts
        │
  session.start
        │
 ┌─▶ prompt.submit                                       a slash command: command.before first
 │      │
 │   agent.before ──▶ agent.start
 │      │
 │  ┌▶ turn.start
 │  │   │
 │  │  model.context · model.system · model.parameters
 │  │   │
 │  │  model.request ──▶ model.response ──▶ model.text   retry.start … retry.end · rule.triggered
 │  │   │
 │  │  tool.before ──▶ tool.permission ──▶ it runs ──▶ tool.after      shell.env · file.edited
 │  │   │    └──────────────┤                 └──────▶ tool.failed     subagent.start … subagent.stop
 │  │   │                   └──▶ tool.denied
 │  └─ turn.end
 │  ▲   │
 │  └─ turn.stop ── a hook says resume: go on            todo.reminder
 │      │
 │   agent.end ──▶ agent.idle
 └──────┤
        │
   session.end

 at any time   notification.sent · session.error · other (an agent's own word)
 compaction    autocompaction.start ▶ compaction.before ▶ compaction.prompt ▶ compaction.after
               ▶ compaction.continue ▶ autocompaction.end      (model.small writes the summary)
 the tree      session.switching ▶ session.switched · session.branching ▶ session.branched
               session.navigating ▶ session.navigated
\`\`\`
`;

/**
 * @param {readonly string[]} names
 * @returns {string[]} those that the drawing forgot
 */
export const missingFrom = (names) => {
  const drawn = new Set(LIFECYCLE.match(/[a-z]+(\.[a-z]+)?/g));
  return names.filter((name) => !drawn.has(name));
};
