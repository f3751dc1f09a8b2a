// Files of a published package as they are, without the rest of it: what they import beyond those that are named stands in
// as something that answers to any name. What then runs is at most what the agent itself runs.

import { realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Callable, and with every field. As CommonJS: every name can be imported from it, also through the prototype. */
const STAND_IN = `const any = new Proxy(function () {}, {
  getPrototypeOf: () => any,
  get: (_, key) => (key === 'then' || typeof key === 'symbol' ? undefined : any),
  apply: () => any,
  construct: () => any,
});
module.exports = any;`;

/**
 * @param {{ folder: string, version: string }} peer
 * @param {string} entry text of a module whose imports are paths in the package
 * @param {readonly string[]} kept paths in the package, without their endings
 * @param {Readonly<Record<string, string>>} [instead] path in the package, without its ending → the text of a module in its place
 */
export async function published({ folder: given, version }, entry, kept, instead = {}) {
  const folder = realpathSync(given); // as the bundler names its files, also where the cache is a link
  const outfile = join(folder, `.bench-${version}.mjs`);
  const files = new Set(kept.map((path) => join(folder, path)));
  await build({
    stdin: { contents: entry, resolveDir: folder, loader: 'js' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    plugins: [
      {
        name: 'stand-ins',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /.*/ }, ({ path, importer, kind, resolveDir }) => {
            if (kind === 'entry-point' || path.startsWith('node:')) return undefined;
            if (!path.startsWith('.')) return { path, namespace: 'stand-in' };
            const from = importer === '<stdin>' ? resolveDir : dirname(importer);
            const file = resolve(from, path).replace(/\.[jt]s$/, '');
            return files.has(file) ? undefined : { path: relative(folder, file), namespace: 'stand-in' };
          });
          onLoad({ filter: /.*/, namespace: 'stand-in' }, ({ path }) => ({
            contents: instead[path] ?? STAND_IN,
            loader: 'js',
          }));
        },
      },
    ],
  });
  return await import(pathToFileURL(outfile).href);
}
