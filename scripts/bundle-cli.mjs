/**
 * `dist/bin`: what agents start for every event, in two files instead of two hundred. `anyhook.cjs` answers what nobody
 * listens to; `fire.cjs` is the road of every other fire. What they load only when it is needed stays where it is.
 * CommonJS, because the loader of ES modules alone costs a quarter of Node's start. Runs in the folder of the package.
 */
import { chmodSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const [source, out] = [resolve('src'), resolve('dist/bin')];
const bundle = await rolldown({
  input: { anyhook: resolve(source, 'hosts/cli/bin.ts') },
  platform: 'node',
  plugins: [
    {
      name: 'lazy-stays-outside',
      resolveId(wanted, importer, { kind }) {
        if (kind !== 'dynamic-import' || wanted.endsWith('/main-fire.ts')) return null;
        if (!wanted.startsWith('.')) return { id: wanted, external: true };
        const built = resolve(importer, '..', wanted)
          .replace(source, resolve('dist'))
          .replace(/\.ts$/, '.js');
        return { id: relative(out, built), external: true };
      },
    },
  ],
});
await bundle.write({
  dir: out,
  format: 'cjs',
  banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
  entryFileNames: '[name].cjs',
  chunkFileNames: 'fire.cjs',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
});
chmodSync(resolve(out, 'anyhook.cjs'), 0o755);
