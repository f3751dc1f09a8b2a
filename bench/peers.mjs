// `npm run bench:peers`: brings what the benchmark measures itself against into .cache/bench, pinned, without running any
// package's scripts. Of the agents only the package itself: what is measured of them is in it.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../.cache/bench/', import.meta.url));
const CLAUDE_CODE = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`;

/** Name in a row → package, version, and how it comes. */
const PEERS = {
  'Claude Code': { name: CLAUDE_CODE, version: '2.1.325', comes: 'installed' },
  'Claude Agent SDK': { name: '@anthropic-ai/claude-agent-sdk', version: '0.3.325', comes: 'installed' },
  effect: { name: 'effect', version: '4.1.0', comes: 'installed' },
  'oh-my-pi': { name: '@oh-my-pi/pi-coding-agent', version: '18.3.4', comes: 'unpacked' },
  'Gemini CLI': { name: '@google/gemini-cli-core', version: '0.61.0', comes: 'unpacked' },
  'cc-safety-net': { name: 'cc-safety-net', version: '2.4.5', comes: 'unpacked' },
};

const folderOf = (name) => join(CACHE, 'node_modules', name);

/**
 * Where a peer lies, and which version that is; undefined where it was not brought.
 * @param {keyof typeof PEERS} title
 */
export function peer(title) {
  const folder = folderOf(PEERS[title].name);
  const about = join(folder, 'package.json');
  if (!existsSync(about)) return undefined;
  return { folder, version: JSON.parse(readFileSync(about, 'utf8')).version };
}

function bring() {
  mkdirSync(CACHE, { recursive: true });
  const wanted = (comes) =>
    Object.entries(PEERS)
      .filter(([title, one]) => one.comes === comes && peer(title)?.version !== one.version)
      .map(([, one]) => one);
  const npm = (...words) =>
    execFileSync('npm', [...words, '--ignore-scripts', '--loglevel=error'], { cwd: CACHE, encoding: 'utf8' });
  // Before the unpacked ones: npm takes away what it did not install.
  const installed = wanted('installed');
  if (installed.length > 0) {
    const all = Object.values(PEERS).filter(({ comes }) => comes === 'installed');
    const options = ['--no-save', '--omit=optional', '--legacy-peer-deps', '--no-audit', '--no-fund'];
    npm('install', '--prefix', CACHE, ...options, ...all.map(({ name, version }) => `${name}@${version}`));
  }
  for (const { name, version } of wanted('unpacked')) {
    const [{ filename }] = JSON.parse(npm('pack', '--json', `${name}@${version}`));
    const archive = join(CACHE, filename);
    mkdirSync(folderOf(name), { recursive: true });
    execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', folderOf(name)]);
    rmSync(archive);
  }
}

if (resolve(process.argv[1] ?? '') === fileURLToPath(import.meta.url)) {
  bring();
  for (const title of Object.keys(PEERS))
    process.stdout.write(`${title} ${peer(title)?.version ?? 'not there'}\n`);
}
