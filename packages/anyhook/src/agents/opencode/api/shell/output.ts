import type { BunShellOutput } from '../types/index.ts';

export class ShellOutput implements BunShellOutput {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly exitCode: number;
  constructor(stdout: Buffer, stderr: Buffer, exitCode: number) {
    this.stdout = stdout;
    this.stderr = stderr;
    this.exitCode = exitCode;
  }
  text(encoding?: BufferEncoding): string {
    return this.stdout.toString(encoding);
  }
  json() {
    return JSON.parse(this.stdout.toString());
  }
  arrayBuffer(): ArrayBuffer {
    return new Uint8Array(this.stdout).buffer;
  }
  bytes(): Uint8Array {
    return new Uint8Array(this.stdout);
  }
  blob(): Blob {
    return new Blob([new Uint8Array(this.stdout)]);
  }
}

/** A command that exited with a code other than 0, with its complete output. */
export class ShellError extends Error implements BunShellOutput {
  override readonly name = 'ShellError';
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly #output: ShellOutput;
  constructor(output: ShellOutput) {
    const stderrText = output.stderr.toString().trim();
    super(
      `Failed with exit code ${output.exitCode}${stderrText === '' ? '' : `: ${stderrText.slice(0, 500)}`}`,
    );
    this.#output = output;
    ({ exitCode: this.exitCode, stdout: this.stdout, stderr: this.stderr } = output);
  }
  text(encoding?: BufferEncoding): string {
    return this.#output.text(encoding);
  }
  json() {
    return this.#output.json();
  }
  arrayBuffer(): ArrayBuffer {
    return this.#output.arrayBuffer();
  }
  bytes(): Uint8Array {
    return this.#output.bytes();
  }
  blob(): Blob {
    return this.#output.blob();
  }
}
