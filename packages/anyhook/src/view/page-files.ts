/** The built page and the HTML document around it. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../own-files.mjs';

export interface PageFiles {
  readonly script: string;
  readonly style: string;
}

/** Beside the compiled files, also when running from source. */
const BUILT = packageFile('dist/page');

export function pageFiles(): PageFiles {
  const read = (name: string): string => readFileSync(join(BUILT, name), 'utf8');
  try {
    return { script: read('page.js'), style: read('page-style.css') };
  } catch (error) {
    throw new Error('the page of the view is not built: npm run build', { cause: error });
  }
}

/** Allows only our own files and no framing. */
export const SERVED_POLICY =
  "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'";

export const servedDocument = (): string =>
  documentWith('<link rel="stylesheet" href="/page.css"><script defer src="/page.js"></script>', '');

/** One file with everything in it. Its policy allows exactly these bytes to run and no requests. */
export function exportedDocument({ script, style }: PageFiles, content: string): string {
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  return documentWith(
    `<meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style>`,
    `<script type="application/json" id="exported">${inScript(content)}</script><script>${script}</script>`,
  );
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** JSON that cannot close an element or open a comment, whatever it quotes. */
const inScript = (json: string): string =>
  json.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026');

const documentWith = (head: string, body: string): string =>
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>anyhook view</title>${head}</head>
<body><div id="root"><noscript>The view needs JavaScript: its files come from this page's own address.</noscript></div>${body}</body></html>
`;
