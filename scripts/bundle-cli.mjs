/**
 * `dist/bin`: what agents start for every event, and people for every question, in a few files instead of five hundred.
 * `anyhook.cjs` answers what nobody listens to; `main-fire.cjs` is the road of every other fire, `main.cjs` that of the
 * other commands, and what most of them need besides are their neighbours. What is seldom needed stays where it is.
 * CommonJS, because the loader of ES modules alone costs a quarter of Node's start. Runs in the folder of the package.
 */
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { giveNotice } from './notices.mjs';

const [source, built, out] = [resolve('src'), resolve('dist'), resolve('dist/bin')];
/** Loaded late: by nearly every fire that reaches a hook, and by the commands of people. */
const NEAR =
  /\/(?:hosts\/cli\/[^/]+|assembly\/module-hooks|library\/long-texts|compiled|ask-engine|records|trusted|self-protection\/(?:index|shell)|runners\/command\/index|warm\/(?:start|stop|switched-off))\.ts$/;
/** Packages with a file of their own: only commands are parsed, and only people's words. */
const OWN_FILES = ['unbash', 'commander'];
const bundle = await rolldown({
  input: { anyhook: resolve(source, 'hosts/cli/bin.ts') },
  platform: 'node',
  preserveEntrySignatures: 'allow-extension', // what others need of it stays in the one file that is always loaded
  plugins: [
    {
      name: 'seldom-stays-outside',
      resolveId(wanted, importer, { kind }) {
        if (OWN_FILES.includes(wanted)) return { id: `./packed-${wanted}.cjs`, external: true };
        if (['yaml', 'jsonc-parser'].includes(wanted)) return { id: wanted, external: true }; // their own files are CommonJS
        if (kind !== 'dynamic-import' || wanted.startsWith('@bomb.sh/tab')) return null;
        if (!wanted.startsWith('.') || importer === undefined) return { id: wanted, external: true };
        const file = resolve(importer, '..', wanted);
        if (NEAR.test(file)) return null;
        const target = file.replace(source, built).replace(/\.ts$/, '.js');
        return { id: relative(out, target), external: true };
      },
    },
    {
      // What lies beside a module still does: it is looked for where the module would be, had it not been bundled.
      name: 'places-stay',
      renderChunk: (code, { isEntry }) =>
        isEntry ? null : { code: code.replaceAll('import("../', 'require("./anyhook.cjs").later("../') },
      transform(code, id) {
        if (!code.includes('import.meta.url')) return null;
        const place = relative(out, id.replace(source, built).replace(/\.ts$/, '.js'));
        const url = `require('node:url').pathToFileURL(require('node:path').join(__dirname, ${JSON.stringify(place)})).href`;
        const near = code.replaceAll(
          /createRequire\(import\.meta\.url\)\((?='(?:unbash|jsonc-parser)\b)/g,
          'require(',
        );
        return { code: near.replaceAll('import.meta.url', url) };
      },
    },
  ],
});
const packages = await rolldown({
  input: Object.fromEntries(OWN_FILES.map((name) => [`packed-${name}`, name])),
  platform: 'node',
});
/** @type {string[]} */
const written = [];
for (const [made, banner] of /** @type {const} */ ([
  [bundle, '#!/usr/bin/env node'],
  [packages, ''],
])) {
  const { output } = await made.write({
    dir: out,
    format: 'cjs',
    banner: ({ isEntry }) => (isEntry ? banner : ''),
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  });
  written.push(...output.map(({ fileName }) => fileName));
  giveNotice(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])));
}
for (const file of readdirSync(out)) if (!written.includes(file)) rmSync(resolve(out, file));
// Installed files carry no time of their own: a build is known by what is in it.
const mark = createHash('sha256');
for (const file of readdirSync(out).toSorted()) mark.update(readFileSync(resolve(out, file)));
const entry = resolve(out, 'anyhook.cjs');
writeFileSync(entry, readFileSync(entry, 'utf8').replace('@build@', mark.digest('hex').slice(0, 16)));
chmodSync(entry, 0o755);
