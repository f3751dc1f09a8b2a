/** The hook makes the worktree and says where it is: the last line of its output is the path. */
import { isAbsolute } from 'node:path';
import { deny, type Effect, set } from '../../../events/effects.ts';
import type { ExitReply } from '../../../events/exchange.ts';

export function worktreeEffects({ code, stdout, stderr }: ExitReply): Effect[] {
  if (code !== 0) return [deny(stderr.trim() || `ended with ${code}`)];
  const lines = stdout.replaceAll(ANSI, '').split('\n');
  return worktreeAt(lines.map((line) => line.trim()).findLast((line) => line !== ''));
}

export function worktreeAt(path: string | undefined): Effect[] {
  if (path === undefined) return [deny('the hook said no path')];
  if (!isAbsolute(path)) return [deny(`${path} is no full path`)];
  if (path.split(/[\\/]/).some((part) => part === '.' || part === '..'))
    return [deny(`${path} holds . or ..`)];
  return [set('body', 'worktreePath', path)];
}

// oxlint-disable-next-line no-control-regex -- that is what they are
const ANSI = /\u001b\[[0-9;?]*[A-Za-z]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
