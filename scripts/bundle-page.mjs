/**
 * `dist/page`: the page of `anyhook view`, one script and one style sheet. It may import types of `src`, and what touches
 * nothing (`events/took.mjs`). Runs in the folder of the package.
 */

import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { giveNotice } from './notices.mjs';

/** What the page may weigh in the tarball. */
const MOST_KB = 150;

rmSync('dist/page', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { page: 'page/main.tsx', 'page-style': 'page/page.css' },
  outdir: 'dist/page',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  // Nothing that ends a script element may stand in it: an export has it inside one.
  charset: 'ascii',
  banner: {
    js: '/* With Preact and uPlot, both MIT: github.com/preactjs/preact, github.com/leeoniya/uPlot. */',
  },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
});
giveNotice(Object.keys(metafile.inputs).map((file) => resolve(file)));
const weight = ['page.js', 'page-style.css'].reduce(
  (sum, name) => sum + gzipSync(readFileSync(`dist/page/${name}`)).length,
  0,
);
if (weight > MOST_KB * 1024)
  throw new Error(`the page weighs ${Math.ceil(weight / 1024)} KB, more than ${MOST_KB} KB`);
