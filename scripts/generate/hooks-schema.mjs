/**
 * The schema of our own `hooks.json`, for editors. What counts when a file is read are the shapes in
 * `agents/anyhook/dialect`; `test/hooks-schema.test.ts` holds the two together.
 */

import { z } from 'zod';

const text = () => z.string().regex(/\S/);

const shared = {
  name: text().optional().describe('Shown to people; otherwise the file and the line.'),
  match: z
    .string()
    .optional()
    .describe(
      'What the subject of the event must be. Words split by | are exact, * is a wildcard, /…/ is a regular ' +
        'expression, shell(git push*) also looks at what the tool is asked to do. Left out: any.',
    ),
  roles: z
    .array(z.enum(['guard', 'mutator', 'observer']))
    .min(1)
    .optional()
    .describe('A guard may decide, a mutator may change, an observer only watches.'),
  timeoutMs: z
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .describe('Its deadline, in milliseconds; 60000 when left out.'),
  onFailure: z
    .enum(['allow', 'ask', 'block'])
    .optional()
    .describe(
      'What it means when the hook breaks. Left out: what could still be refused is, the rest passes.',
    ),
  opaque: z
    .enum(['ask', 'block', 'allow', 'run'])
    .optional()
    .describe(
      'What it means when "match" cannot tell (`$CMD x`): ask the person, refuse, let pass, or run the hook.',
    ),
  background: z.boolean().optional().describe('Started, not waited for: an observer.'),
  shadow: z.boolean().optional().describe('Decides and is recorded, but is not enforced.'),
  sticky: z
    .boolean()
    .optional()
    .describe('Whether its refusals stay: false judges every call as if nothing had been refused before.'),
  status: text().optional().describe('Shown while it runs.'),
};

const command = z
  .strictObject({
    run: z
      .union([text(), z.array(z.string()).min(1)])
      .describe('A line for the shell, or a program with its arguments.'),
    env: z.record(z.string(), z.string()).optional().describe('Laid over the environment.'),
    cwd: text().optional().describe('The folder it runs in.'),
    warm: z
      .enum(['prespawn'])
      .optional()
      .describe(
        'A fresh process waits at its standard input for the next event. For programs that do nothing before they have read ' +
          'it; they get no ANYHOOK_ variables of the event.',
      ),
    shell: text().optional().describe('The shell for a line; otherwise sh.'),
    exit: z
      .enum(['any'])
      .optional()
      .describe(
        'Every exit code but 0 refuses, with the output as the reason. For commands such as `npm test`. Without it only exit 2 refuses.',
      ),
    ...shared,
  })
  .describe('Runs a command: the event is on its standard input.');

const prompt = z
  .strictObject({ prompt: text().describe('A question about the event.'), ...shared })
  .describe('Asks a model about the event.');

const danger = z
  .strictObject({
    ...shared,
    match: z
      .string()
      .regex(/^\s*danger:[a-z-]+(?:\s*[|,]\s*danger:[a-z-]+)*\s*$/)
      .describe(
        'Refused by a rule of our own. Presets: danger:delete, danger:git, danger:cloud, danger:database, danger:device, ' +
          'danger:publish, danger:secrets, danger:pipe-to-shell.',
      ),
  })
  .describe("Refuses what is dangerous, without a hook of one's own.");

const duration = () =>
  z
    .string()
    .regex(/^[1-9]\d{0,6}[smhd]$/)
    .optional();
const across = z
  .enum(['session', 'project'])
  .optional()
  .describe('Which calls count; those of the session when left out.');
const since = z.enum(['last edit', 'last prompt']).optional().describe('Only what came after counts.');

const { roles: _roles, background: _background, ...ofRules } = shared;
const answer = {
  ...ofRules,
  verdict: z.enum(['deny', 'ask']).optional().describe('What the rule answers; "deny" when left out.'),
  reason: text().optional().describe('Shown to the model and the user.'),
};

const requires = z
  .strictObject({
    requires: z.strictObject({
      earlier: text().describe('A matcher for an earlier call of the session.'),
      succeeded: z.boolean().optional().describe('Its result must be a success.'),
      since,
      within: duration().describe('How long ago it may be, such as "30m".'),
    }),
    ...answer,
  })
  .describe('Refuses unless something was done earlier.');

const limit = z
  .strictObject({
    limit: z.strictObject({
      times: z.int().min(0).max(1_000_000).describe('How many calls may run.'),
      per: duration().describe('In which time, such as "1h"; the whole session when left out.'),
      since,
      across,
    }),
    ...answer,
  })
  .describe('Refuses after so many calls that it matches.');

const usageAmounts = {
  tokens: z.int().min(1).max(1e12).describe('Tokens that the session may send and get.'),
  contextTokens: z.int().min(1).max(1e12).describe('Tokens that the context window may hold.'),
  costUsd: z.number().gt(0).max(1e6).describe('What the session may cost in US dollars.'),
};

const usageLimit = z
  .strictObject({
    limit: z.union(Object.entries(usageAmounts).map(([name, amount]) => z.strictObject({ [name]: amount }))),
    ...answer,
  })
  .describe('Refuses what it matches once the session has used so much, as far as the agent states it.');

const forbid = z
  .strictObject({
    forbid: z.strictObject({
      after: text().describe('A matcher for an earlier call.'),
      since,
      within: duration().describe('How long it counts, such as "1d".'),
      across,
    }),
    ...answer,
  })
  .describe('Refuses after something was done.');

const RULES = [
  requires.meta({ id: 'requires-rule' }),
  limit.meta({ id: 'limit-rule' }),
  usageLimit.meta({ id: 'usage-rule' }),
  forbid.meta({ id: 'forbid-rule' }),
];

const UNMATCHED = {
  match: z.literal('*').optional().describe('This event has nothing that a matcher could read.'),
};

const shownAs = z.enum(['plain', 'hashed', 'off']).optional();

const HOOK_PATHS = z
  .array(
    z.union([
      text(),
      z.strictObject({
        path: text().describe('A module, or the folder of a plugin; relative to this file.'),
        dialect: text().describe('Whose words its hooks speak, such as opencode or claude-code.'),
        settings: text().optional().describe('Of a plugin of Claude Code: the file with its hooks.'),
        options: z.any().optional().describe('What the module is handed.'),
      }),
    ]),
  )
  .optional()
  .describe('Modules with hooks that live outside the hooks folder, ours or of another agent.');

const JOURNAL = z
  .strictObject({
    required: z.boolean().optional().describe('Refuse what can be refused when a record cannot be written.'),
    folder: text().optional().describe('Where the journal is kept.'),
    keepDays: z.int().min(1).max(36_500).optional().describe('Sessions written longer ago are removed.'),
    keepBytes: z.int().min(1).optional().describe('Of all sessions together; the oldest go beyond it.'),
    origin: z
      .strictObject({
        machine: shownAs,
        user: shownAs,
        agent: shownAs,
        policy: z.enum(['plain', 'off']).optional(),
      })
      .optional()
      .describe('How each record says where it comes from.'),
  })
  .optional();

const DISABLED = z
  .array(
    z.union([
      text(),
      z.strictObject({
        id: text(),
        runs: text().optional().describe('Only while it still runs this.'),
      }),
    ]),
  )
  .optional()
  .describe('Hooks that are switched off, by id; counts in your own file only.');

/** Settings that count only in the user's own file. */
const approvalMode = z.enum(['fallback', 'always', 'off']);

const undoBytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
const undoCount = z.number().int().min(0).max(10_000_000).optional();
const OWN_SETTINGS = {
  trusted: z
    .array(text())
    .optional()
    .describe('Content of projects that is trusted, by hash; counts in your own file only.'),
  untrusted: z
    .enum(['refuse', 'skip'])
    .optional()
    .describe(
      'A project whose guards wait for trust: closed, or without them; counts in your own file only.',
    ),
  daemon: z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether a background process answers the events of agents; counts in your own file only.'),
  updates: z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether commands in a terminal mention newer versions; counts in your own file only.'),
  loadMs: z
    .number()
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .describe('For one module to load, in milliseconds, otherwise 10000; counts in your own file only.'),
  sticky: z
    .boolean()
    .optional()
    .describe('Whether refusals stay for the session. Counts in your own file only.'),
  approvers: z
    .array(z.string())
    .optional()
    .describe(
      'Ids of hooks whose "allow" answers a question that another hook raised. Otherwise only the user answers it. Counts in your own file only.',
    ),
  approvals: z
    .union([
      approvalMode,
      z.strictObject({
        mode: approvalMode.optional(),
        waitUnseen: z
          .boolean()
          .optional()
          .describe(
            'Wait for an answer even if nobody could be notified. Otherwise such a call is refused at once.',
          ),
        waitSeconds: z
          .number()
          .int()
          .min(1)
          .max(86_400)
          .optional()
          .describe('The longest wait for one call.'),
        keepMinutes: z
          .number()
          .int()
          .min(1)
          .max(43_200)
          .optional()
          .describe('How long a question and its approval stay valid, otherwise one day.'),
        notify: z
          .array(
            z.union([
              z.literal('desktop'),
              z.strictObject({
                command: text().describe('Run in a shell, with the question as JSON on stdin.'),
              }),
              z.strictObject({ webhook: text().describe('Gets the question as JSON in a POST request.') }),
            ]),
          )
          .optional()
          .describe('How you learn about a question, otherwise by a desktop notification.'),
        signers: z
          .record(z.string(), text())
          .optional()
          .describe('Names and public keys of those who answer for hooks of the administrator.'),
        allow: z
          .array(
            z.strictObject({
              command: text().describe('The whole command, such as "npm test".'),
              project: text().optional().describe('Only in this folder.'),
            }),
          )
          .optional()
          .describe('Commands that you have approved for good. Questions about them are not asked.'),
      }),
    ])
    .optional()
    .describe(
      'Where questions of hooks are answered: "fallback" in `anyhook approvals` if the agent cannot ask, "always" there, or "off". Counts in your own file only.',
    ),
  undo: z
    .union([
      z.boolean(),
      z.strictObject({
        required: z
          .boolean()
          .optional()
          .describe('Refuse a call that may change files if no snapshot could be taken.'),
        outside: z
          .boolean()
          .optional()
          .describe('Also store what a recognised `rm` or `mv` takes away outside the project.'),
        maxFileBytes: undoBytes.describe('A larger file is left out, otherwise 500,000,000.'),
        maxBytes: undoBytes.describe('Undo is off in a larger project, otherwise 4,000,000,000.'),
        maxFiles: undoCount.describe('Undo is off in a project with more files, otherwise 100,000.'),
        bulkyBytes: undoBytes.describe(
          'Folders such as `node_modules` are left out as a whole beyond this total, otherwise 500,000,000.',
        ),
        bulkyFiles: undoCount.describe('The same for the number of their files, otherwise 20,000.'),
        outsideBytes: undoBytes.describe(
          'The most that is stored of one path outside, otherwise 100,000,000.',
        ),
        skip: z
          .array(text())
          .optional()
          .describe('Names of files and folders, or paths below the project, that are left out.'),
        keepDays: z
          .number()
          .int()
          .min(1)
          .max(3650)
          .optional()
          .describe('Older snapshots go, otherwise 14 days.'),
        keepBytes: undoBytes.describe('The oldest snapshots go beyond this, otherwise 10,000,000,000.'),
      }),
    ])
    .optional()
    .describe(
      'Snapshots around calls that may change files, for `anyhook undo`. Counts in your own file only.',
    ),
};

/** @param {Pick<import('./tables.mjs').Tables, 'events'>} tables */
export function hooksFile({ events }) {
  const matched = listOf('', command, prompt);
  const dangers = danger.meta({ id: 'danger-hook' });
  const tools = listOf('-for-tools', command, prompt, dangers);
  const judged = listOf('-before-tools', command, prompt, dangers, ...RULES);
  const unmatched = listOf('-for-any', command.extend(UNMATCHED), prompt.extend(UNMATCHED));
  const perEvent = events.EVENT_NAMES.map((name) => {
    const { subject, when } = events.rowOf(name);
    const list =
      name === 'tool.before' ? judged : subject === null ? unmatched : subject === 'tool' ? tools : matched;
    return [name, list.optional().describe(when)];
  });
  return z.strictObject({
    $schema: text().optional(),
    hooks: z.strictObject(Object.fromEntries(perEvent)).optional().describe('Event → its hooks, in order.'),
    version: z.literal(1).optional().describe('The format of this file.'),
    hookPaths: HOOK_PATHS,
    shadow: z
      .boolean()
      .optional()
      .describe('All hooks of this file decide and are recorded, none is enforced.'),
    order: z.array(text()).min(1).optional().describe('The order in which the hooks of the dialects run.'),
    journal: JOURNAL,
    disabled: DISABLED,
    ...OWN_SETTINGS,
  });
}

/**
 * Under names, so that an editor shows them and the schema stays small.
 * @param {string} suffix
 * @param {z.ZodObject} commands
 * @param {z.ZodObject} prompts
 * @param {z.ZodObject[]} others
 */
const listOf = (suffix, commands, prompts, ...others) =>
  z
    .array(
      z.union([
        commands.meta({ id: `command-hook${suffix}` }),
        prompts.meta({ id: `prompt-hook${suffix}` }),
        ...others,
      ]),
    )
    .min(1);
