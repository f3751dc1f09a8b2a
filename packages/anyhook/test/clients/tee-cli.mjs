// Runs the program that TEE_CLI names and writes every line of both directions to TEE_FILE: a recorded transcript.

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const { TEE_CLI = '', TEE_FILE = '' } = process.env;
const child = spawn(TEE_CLI, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
/**
 * @param {'sdk' | 'cli'} from
 * @param {NodeJS.ReadableStream} input
 * @param {NodeJS.WritableStream} output
 */
function tee(from, input, output) {
  const lines = createInterface({ input });
  lines.on('line', (line) => {
    appendFileSync(TEE_FILE, `${JSON.stringify({ from, frame: JSON.parse(line) })}\n`);
    output.write(`${line}\n`);
  });
  lines.on('close', () => output !== process.stdout && output.end());
}
tee('sdk', process.stdin, child.stdin);
tee('cli', child.stdout, process.stdout);
child.on('exit', (code) => (process.exitCode = code ?? 1));
child.on('close', () => process.exit());
