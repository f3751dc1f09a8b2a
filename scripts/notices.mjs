/** `dist/THIRD-PARTY-NOTICES.md`: the licence of every package whose code a bundle carries, so that no bundle lacks one. */

import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'dist/THIRD-PARTY-NOTICES.md';
const HEAD =
  '# Third-party notices\n\nThe files of this package carry code of these packages, each under its own licence.\n';
const PACKAGE = /^(?<folder>.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** @param {readonly string[]} modules the absolute paths of what went into a bundle; ours are passed over */
export function giveNotice(modules) {
  if (!existsSync(FILE)) writeFileSync(FILE, HEAD);
  const folders = new Set(
    modules.flatMap((file) => PACKAGE.exec(file.replaceAll('\\', '/'))?.groups?.['folder'] ?? []),
  );
  for (const folder of [...folders].toSorted()) {
    const { name, version, license } = /** @type {Record<string, string>} */ (
      JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    );
    const title = `\n## ${name} ${version}\n`;
    if (!readFileSync(FILE, 'utf8').includes(title))
      appendFileSync(
        FILE,
        `${title}\n${licenceIn(folder) ?? `License: ${license}. The package holds no text of it.`}\n`,
      );
  }
}

/** @param {string} folder */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file && readFileSync(join(folder, file), 'utf8').trim();
}
