import type { WayOf } from '../../events/hook.ts';

export interface ProgramToStart {
  readonly file: string;
  readonly args: readonly string[];
  readonly verbatim?: true;
}

/** What to start for a line or an argument list. Pure; the Windows rows were never run on Windows. */
export function programFor(run: WayOf<'command'>['run'], platform: string, comspec?: string): ProgramToStart {
  if ('argv' in run) return { file: run.argv[0], args: run.argv.slice(1) };
  const shell = run.shell ?? (platform === 'win32' ? (comspec ?? 'cmd.exe') : '/bin/sh');
  switch (family(shell)) {
    case 'powershell':
      return { file: shell, args: ['-NoProfile', '-NonInteractive', '-Command', run.line] };
    case 'cmd':
      // `/s` makes cmd strip exactly the outer quotes, whatever stands between them.
      return { file: shell, args: ['/d', '/s', '/c', `"${run.line}"`], verbatim: true };
    case 'posix':
      return { file: shell, args: ['-c', run.line] };
  }
}

function family(shell: string): 'posix' | 'powershell' | 'cmd' {
  const name = shell
    .split(/[\\/]/)
    .at(-1)!
    .toLowerCase()
    .replace(/\.exe$/, '');
  if (name === 'pwsh' || name === 'powershell') return 'powershell';
  return name === 'cmd' ? 'cmd' : 'posix';
}
