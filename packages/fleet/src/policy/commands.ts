/** `anyhook-fleet policy …`: check, pack and sign a policy; verify and apply it on a machine. */

import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync, lstatSync, readdirSync, readFileSync, statSync, existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { MANAGED } from 'anyhook/policy';
import type { Command } from 'commander';
import { applyPolicy } from './apply.ts';
import { packPolicy, PolicyError, type PolicyFile, MOST_BYTES, ed25519 } from './archive.ts';
import { checkPolicy } from './check.ts';

/** Reads an archive from a file or a URL. Trust comes from the signature, not from the transport. */
const LONGEST_MS = 60_000;

async function archiveFrom(place: string): Promise<Uint8Array> {
  if (!/^https?:\/\//.test(place)) {
    if (statSync(place).size > MOST_BYTES)
      throw new PolicyError(`${place} is larger than ${MOST_BYTES} bytes`);
    return readFileSync(place);
  }
  const response = await fetch(place, { signal: AbortSignal.timeout(LONGEST_MS) });
  if (!response.ok || response.body === null) throw new PolicyError(`${place} answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new PolicyError(`${place} sends more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Files that tools leave behind, which are not part of a policy. */
const PASSED_OVER = new Set(['.git', '.DS_Store', 'node_modules']);

export function filesIn(folder: string): readonly PolicyFile[] {
  const walk = (path: string): PolicyFile[] => {
    const stats = lstatSync(path);
    if (stats.isDirectory())
      return readdirSync(path)
        .filter((name) => !PASSED_OVER.has(name))
        .flatMap((name) => walk(join(path, name)));
    if (!stats.isFile())
      throw new PolicyError(`${path} is not a plain file; a policy may contain only files and folders`);
    return [{ name: relative(folder, path).split(sep).join('/'), bytes: readFileSync(path) }];
  };
  return walk(folder);
}

interface CheckOptions {
  readonly journal?: readonly string[];
  readonly json?: boolean;
}
interface PackOptions {
  readonly key: string;
  readonly out: string;
}

const say = (lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(''));

export function definePolicy(command: Command): void {
  command.description('check, pack, sign and apply the policy of an organisation');
  command
    .command('check')
    .description(
      'check a policy, and list what it would have refused in recorded sessions; exit 1 on problems',
    )
    .argument('<folder>', 'with policy.json, hooks.json and hooks/')
    .option(
      '--journal <place...>',
      'recorded sessions: journal files, or folders of them; the guards of the policy run for real',
    )
    .option('--json', 'Print JSON')
    .action(async (folder: string, { journal = [], json }: CheckOptions) => {
      const { isSound, trial, lines } = await checkPolicy(folder, journal);
      say(json === true ? [JSON.stringify({ isSound, ...trial }, null, 2)] : lines);
      process.exitCode = isSound ? 0 : 1;
    });
  command
    .command('key')
    .description('make a pair of keys: <file>.key to pack with, <file>.pub for /etc/anyhook/policy.pub')
    .argument('<file>', 'without an ending')
    .action((file: string) => {
      const { privateFile, publicFile } = makeKeys(file);
      say([
        `${privateFile}: keep it where policies are packed`,
        `${publicFile}: to every machine, as /etc/anyhook/policy.pub`,
      ]);
    });
  command
    .command('pack')
    .description('one signed file of a policy; the same policy and key give the same bytes')
    .argument('<folder>', 'the policy')
    .requiredOption('--key <file>', 'the private key, created by `policy key`')
    .requiredOption('--out <file>', 'where the archive is written')
    .action(async (folder: string, { key, out }: PackOptions) => {
      const { isSound, trial, lines } = await checkPolicy(folder, []);
      if (!isSound) throw new PolicyError(`${folder} is not in order:\n${lines.join('\n')}`);
      writeFileSync(out, await packPolicy(trial.version, filesIn(folder), privateKeyIn(key)));
      say([`${out}: version ${trial.version}`]);
    });
  command
    .command('apply')
    .description(
      'verify an archive against the key of this machine, and put it in force: whole, or not at all',
    )
    .argument('<archive>', 'a file, or an address')
    .action(async (place: string) => {
      const { version, before, isSame } = await named(place, async () =>
        applyPolicy(await archiveFrom(place), MANAGED),
      );
      say([
        isSame
          ? `version ${version} was in force already`
          : `version ${version} is in force${before === 0 ? '' : ` (was ${before})`}`,
      ]);
    });
}

/** Adds the name of the archive to errors. */
async function named<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PolicyError ? new PolicyError(`${place} ${error.message}`) : error;
  }
}

/** Creates the private key for packing and the public key for machines. Never overwrites a file. */
function makeKeys(file: string): { readonly privateFile: string; readonly publicFile: string } {
  const [privateFile, publicFile] = [`${file}.key`, `${file}.pub`];
  for (const path of [privateFile, publicFile])
    if (existsSync(path)) throw new PolicyError(`${path} is there already, and is left as it is`);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
    flag: 'wx',
  });
  writeFileSync(publicFile, publicKey.export({ type: 'spki', format: 'pem' }), { mode: 0o644, flag: 'wx' });
  return { privateFile, publicFile };
}

function privateKeyIn(file: string): KeyObject {
  try {
    return ed25519(createPrivateKey(readFileSync(file)));
  } catch (error) {
    throw error instanceof PolicyError
      ? error
      : new PolicyError(`${file} holds no private key: ${(error as Error).message}`);
  }
}
