/** The capability table for people: one table per agent, read off the sheets. */

/** @import { Tables } from './tables.mjs' */

/** @param {Tables} tables */
export function capabilityPage({ capabilities }) {
  const { SHEETS, rowsOf } = capabilities;
  return Object.values(SHEETS)
    .flatMap((sheet) => [
      `### ${sheet.shown} ${sheet.version}`,
      '',
      `Cells with a ✓ were seen in a real run of ${sheet.version} on ${sheet.measured}; the others are from documents. When the bridge is missing, broken or too slow: ${sheet.failure}.`,
      ...sheet.notes.map((note) => `\n${note}`),
      '',
      '| event | full | weaker or other | lost |',
      '| --- | --- | --- | --- |',
      ...rowsOf(sheet).map(({ event, effects }) => {
        /** @param {(standing: string) => boolean} is */
        const of = (is) => effects.filter(({ standing }) => is(standing));
        /** @param {{ kind: string, from: string }} cell */
        const said = ({ kind, from }) => (from === 'seen' ? `${kind} ✓` : kind);
        const full = of((standing) => standing === 'full').map(said);
        const other = of((standing) => standing.startsWith('as ')).map(
          (cell) => `${said(cell)} ${cell.standing}`,
        );
        const lost = of((standing) => standing === 'lost').map(said);
        return `| [${event}](events/${event}.md) | ${full.join(', ') || '–'} | ${other.join(', ') || '–'} | ${lost.join(', ') || '–'} |`;
      }),
      '',
    ])
    .join('\n');
}
