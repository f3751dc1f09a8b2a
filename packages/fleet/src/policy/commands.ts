/** `anyhook-fleet policy …`: checked, packed and signed by whoever writes it; verified and put in force on every machine. */
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { MANAGED } from 'anyhook/policy';
import { applyPolicy } from './apply.ts';
import { packPolicy, PolicyError } from './archive.ts';
import { checkPolicy } from './check.ts';
import { archiveFrom } from './fetch.ts';
import { filesIn } from './folder.ts';
import { makeKeys, privateKeyIn } from './keys.ts';

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
  command.description('check, pack, sign and apply what an organisation lays down for its machines');
  command
    .command('check')
    .description(
      'what is wrong with a policy, and what it would have refused of recorded sessions; exit 1 when there is any',
    )
    .argument('<folder>', 'with policy.json, hooks.json and hooks/')
    .option(
      '--journal <place...>',
      'recorded sessions: journal files, or folders of them; the guards of the policy run for real',
    )
    .option('--json', 'as JSON')
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
    .requiredOption('--key <file>', 'the private key, as `policy key` makes it')
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

/** A refusal says of which archive. */
async function named<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof PolicyError ? new PolicyError(`${place} ${error.message}`) : error;
  }
}
