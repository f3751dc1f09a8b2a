/** Runs the built demo (`npm start`) in its own process. `UPDATE_STORIES=1` updates its story file. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const DEMO = join(import.meta.dirname, '../dist/demo.js');
const STORY = join(import.meta.dirname, 'demo/fixtures/story.txt');
const LONG_MS = 120_000;

let root: string;
beforeAll(() => void (root = mkdtempSync(join(tmpdir(), 'anyhook-story-'))));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Uses its own temporary folder, so that leftover files are visible. */
function play(name: string, { path = process.env['PATH'], args = [] as string[] } = {}) {
  const temp = join(root, name);
  mkdirSync(temp);
  const env = { PATH: path, TMPDIR: temp, HOME: join(root, 'nobody'), OPENAI_API_KEY: 'sk-of-the-person' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, DEMO], { env, encoding: 'utf8' });
  return { status, stdout, stderr, left: readdirSync(temp) };
}

describe('the demo', () => {
  test(
    'the demo plays the whole story, exits by itself and leaves no files behind',
    () => {
      const { stdout, ...rest } = play('first');
      expect(rest).toEqual({ status: 0, stderr: '', left: [] });
      expect(existsSync(join(root, 'nobody'))).toBe(false); // The home folder of the user must stay empty too.
      if (process.env['UPDATE_STORIES'] === '1') writeFileSync(STORY, stdout);
      else expect(stdout).toBe(readFileSync(STORY, 'utf8'));
    },
    LONG_MS,
  );

  test(
    'the demo plays the same story with only sh and node on the PATH and without network',
    () => {
      const bin = join(root, 'bin');
      mkdirSync(bin);
      symlinkSync('/bin/sh', join(bin, 'sh'));
      symlinkSync(process.execPath, join(bin, 'node'));
      const guard = join(root, 'no-network.mjs');
      writeFileSync(
        guard,
        `import net from 'node:net';
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [options] = args.flat();
  if (options?.path === undefined) throw new Error('the demo goes to the network');
  return connect.apply(this, args);
};\n`,
      );
      const again = play('again', { path: bin, args: ['--import', guard] });
      expect(again).toEqual({ status: 0, stderr: '', left: [], stdout: readFileSync(STORY, 'utf8') });
    },
    LONG_MS,
  );

  test(
    'the demo leaves no files behind when the user interrupts it',
    async () => {
      const temp = join(root, 'stopped');
      mkdirSync(temp);
      const demo = spawn(process.execPath, [DEMO], { env: { PATH: process.env['PATH'], TMPDIR: temp } });
      const ended = once(demo, 'exit');
      for await (const text of demo.stdout.setEncoding('utf8')) if (String(text).includes('rm -rf')) break;
      expect(readdirSync(temp)).not.toEqual([]);
      demo.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
      expect(readdirSync(temp)).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'the demo with --view shows its session until the user stops it, and then leaves no files behind',
    async () => {
      const temp = join(root, 'viewed');
      mkdirSync(temp);
      const demo = spawn(process.execPath, [DEMO, '--view'], {
        env: { PATH: process.env['PATH'], TMPDIR: temp },
      });
      const ended = once(demo, 'exit');
      let text = '';
      for await (const part of demo.stdout.setEncoding('utf8'))
        if (/\/session\/.*\n/.test((text += String(part)))) break;
      const [, origin = '', token = '', key = ''] =
        /(http:\/\/127\.0\.0\.1:\d+)\/#([\w-]+)\/session\/(\S+)/.exec(text) ?? [];
      const answer = await fetch(`${origin}/api/session?key=${key}`, {
        headers: { 'x-anyhook-token': token },
      });
      expect(await answer.text()).toContain('rm -rf build');
      demo.kill('SIGINT');
      expect(await ended).toEqual([0, null]);
      expect(readdirSync(temp)).toEqual([]);
    },
    LONG_MS,
  );

  test('the demo mentions only commands and folders that exist', () => {
    const root = join(import.meta.dirname, '../../..');
    const bins = { anyhook: 'anyhook/bin/anyhook.cjs', 'anyhook-agent': 'agent/bin/anyhook-agent.mjs' };
    const helpOf = (bin: string, words: string[]) =>
      spawnSync(
        process.execPath,
        [join(root, 'packages', bins[bin as keyof typeof bins]), ...words, '--help'],
        {
          encoding: 'utf8',
        },
      ).stdout.split('\n')[0];
    const story = readFileSync(STORY, 'utf8');
    const said = [...story.matchAll(/npx (anyhook\S*)((?: [a-z]+)?)/g)];
    expect(said.map(([, bin, word]) => helpOf(bin!, word!.trim().split(' ').filter(Boolean)))).toEqual([
      'Usage: anyhook list|ls [options] [event]',
      'Usage: anyhook list|ls [options] [event]',
      'Usage: anyhook why [options] [command or event]',
      'Usage: anyhook init [options] [file]',
      'Usage: anyhook-agent [options] [command] [prompt...]',
    ]);
    // An unknown command prints the list of commands, not its own usage.
    expect(helpOf('anyhook', ['nonsense'])).not.toContain('nonsense');
    for (const folder of ['packages/agent/sample/project', 'examples/embed']) {
      expect(story).toContain(folder);
      expect(existsSync(join(root, folder))).toBe(true);
    }
  });

  test('the demo fits into eighty columns and prints no control sequences', () => {
    const lines = readFileSync(STORY, 'utf8').split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f]/.test(line))).toEqual([]);
  });
});
