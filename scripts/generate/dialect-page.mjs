/** The head of a dialect's page, read off the dialect itself: its words, how hooks share them, its tools. */

/** @import { Dialect, Sharing } from '../../packages/anyhook/src/events/dialect.ts' */
/** @import { Hook } from '../../packages/anyhook/src/events/hook.ts' */
/** @import { Tables } from './tables.mjs' */

/**
 * @param {Tables} tables
 * @param {Dialect} dialect
 */
export function dialectPage({ events }, dialect) {
  const rows = events.EVENT_NAMES.flatMap((name) =>
    (dialect.words[name] ?? []).map((word) => ({
      name,
      word,
      sharing: dialect.sharing(word),
      broken: brokenOn(dialect, word),
    })),
  );
  const silent = events.EVENT_NAMES.filter((name) => dialect.words[name] === null);
  return [
    '| its word | our event | its hooks run | ends the group | one that cannot start | one that times out |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ name, word, sharing, broken }) =>
        `| \`${word}\` | [${name}](../events/${name}.md) | ${sharingWords(sharing)} | ${sharing.stopsOn.join(', ') || '–'} | ${broken.start} | ${broken.late} |`,
    ),
    '',
    ...toolLines(dialect),
    ...(silent.length === 0 ? [] : ['', `No word for: ${silent.map((name) => `\`${name}\``).join(', ')}.`]),
  ].join('\n');
}

/** @param {Sharing} sharing */
function sharingWords({ order, sees, keep }) {
  const seen = order === 'in-turn' && sees === 'so-far' ? ', each sees what the ones before changed' : '';
  return `${order.replace('-', ' ')}${seen}${keep === 'all' ? '' : `; the ${keep} answer stands`}`;
}

/**
 * What a broken hook without a word of its own is taken to mean.
 * @param {Dialect} dialect
 * @param {string} word
 */
function brokenOn(dialect, word) {
  const hook = /** @type {Hook} */ (
    /** @type {unknown} */ ({
      on: word,
      roles: ['guard', 'mutator'],
      background: false,
      dialect: dialect.name,
    })
  );
  return {
    start: dialect.failure(word, 'not-started', hook),
    late: dialect.failure(word, 'timed-out', hook),
  };
}

/** @param {Dialect} dialect */
function toolLines({ tools }) {
  const { mcp, isLikely: _isLikely, ...column } = tools;
  const named = Object.entries(column).flatMap(([tool, words]) => (words === null ? [] : [{ tool, words }]));
  if (named.length === 0) return [];
  return [
    '| our tool | its names | its arguments |',
    '| --- | --- | --- |',
    ...named.map(
      ({ tool, words }) =>
        `| ${tool} | ${words.names.map((name) => `\`${name}\``).join(', ')} | ${argumentWords(words.args)} |`,
    ),
    ...(mcp === undefined
      ? []
      : [`| \`mcp__server__tool\` | \`${mcp.prefix}server${mcp.between}tool\` | its server’s |`]),
  ];
}

/** @param {object} args */
const argumentWords = (args) =>
  Object.entries(args)
    .map(
      ([ours, theirs]) =>
        `\`${theirs.join('`, `')}\`${theirs.length === 1 && theirs[0] === ours ? '' : ` (${ours})`}`,
    )
    .join(', ') || '–';
