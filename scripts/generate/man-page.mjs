/** `anyhook.1`: the man page, from the tables of commands and their own help. */

/** @typedef {import('commander').Command} Command */

/** Roff reads backslashes, and dots and quotes at the start of a line. @param {string} text */
const roff = (text) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replaceAll(/^([.'])/gm, '\\&$1');

/** @param {string} term @param {string} text */
const item = (term, text) => ['.TP', `\\fB${roff(term)}\\fR`, roff(text)];

/**
 * @param {Command} root with all commands and their options
 * @param {Readonly<Record<string, { group: string, summary: string, examples: readonly string[], alias?: string, hidden?: true }>>} rows
 * @param {readonly string[]} groups
 * @param {string} version
 */
export function manPage(root, rows, groups, version) {
  const listed = (/** @type {string} */ group) =>
    Object.entries(rows).filter(([, row]) => row.group === group && row.hidden !== true);
  const sections = groups.flatMap((group) => [
    `.SH ${group.toUpperCase()} COMMANDS`,
    ...listed(group).flatMap(([name, row]) =>
      commandLines(
        /** @type {Command} */ (root.commands.find((one) => one.name() === name)),
        name,
        row,
      ),
    ),
  ]);
  return [
    '.\\" Written by npm run generate from packages/anyhook/src/cli. Do not edit.',
    `.TH ANYHOOK 1 "" "anyhook ${version}" "User Commands"`,
    '.SH NAME',
    'anyhook \\- run any lifecycle hook in any AI coding agent',
    '.SH SYNOPSIS',
    '.B anyhook',
    '.I command',
    '[\\fIoptions\\fR]',
    '.SH DESCRIPTION',
    'Hooks written for one coding agent run in all of them. A hook can refuse a tool call, change it, add context or only watch.',
    ...sections,
    '.SH EXIT STATUS',
    ...item('0', 'Done.'),
    ...item('1', 'The command found what it looks for, such as a refused call or a problem.'),
    ...item('2', 'Wrong use, or an error of the file system.'),
    ...item('70', 'An error in anyhook itself.'),
    '.SH FILES',
    ...item('~/.config/anyhook/hooks.json', 'Your own hooks.'),
    ...item('.anyhook/hooks.json', 'Hooks of a project. They run after you trusted them.'),
    ...item('~/.local/share/anyhook', 'Trust and other state.'),
    ...item('~/.local/state/anyhook/journal', 'What hooks did, one file per session.'),
    '.SH ENVIRONMENT',
    ...item('NO_COLOR, FORCE_COLOR', 'Switch colours off or on.'),
    ...item('NO_UPDATE_NOTIFIER', 'Do not look for newer versions.'),
    ...item('XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME', 'Replace the folders above.'),
    '',
  ].join('\n');
}

/**
 * @param {Command} command
 * @param {string} name
 * @param {{ summary: string, examples: readonly string[], alias?: string }} row
 * @returns {string[]}
 */
function commandLines(command, name, { summary, examples, alias }) {
  const subcommands = command.commands.filter((one) => one.name() !== 'help');
  return [
    `.SS anyhook ${roff(name)} ${roff(command.usage().replace('[options]', '').trim())}`.trimEnd(),
    roff(`${summary}.${alias === undefined ? '' : ` Also: anyhook ${alias}.`}`),
    ...subcommands.flatMap((one) => [
      ...item(
        `${name} ${one.name()} ${one.usage().replace('[options]', '').trim()}`.trimEnd(),
        `${one.description()}.`,
      ),
      ...(one.options.length === 0 ? [] : ['.RS', ...optionLines(one), '.RE']),
    ]),
    ...optionLines(command),
    '.PP',
    examples.length === 1 ? 'Example:' : 'Examples:',
    '.PP',
    '.EX',
    ...examples.map((line) => `    ${roff(line)}`),
    '.EE',
  ];
}

/** @param {Command} command */
const optionLines = (command) =>
  command.options
    .filter(({ hidden }) => !hidden)
    .flatMap(({ flags, description }) => item(flags, `${description}.`));
