/** Command hooks of `opencode.json`: an argument list without a shell, with the file name inserted literally. */

import { resolve } from 'node:path';
import type { Event } from '../../../events/event.ts';
import type { CommandRequest } from '../../../events/exchange.ts';
import type { WayOf } from '../../../events/hook.ts';

/** The documented placeholder and the agent's own. A longer name (`$FILES`) is another variable. */
const FILE = /\{file\}|\$FILE\b/g;

/** Replaces in one pass with a function, so that special characters in a file name are not expanded. */
export const withFile = (text: string, file: string | undefined): string =>
  file === undefined ? text : text.replaceAll(FILE, () => file);
export const namesFile = (text: string): boolean => text.search(FILE) !== -1;

export const fileIn = ({ payload, scene }: Event): string | undefined => {
  const { file } = payload as { file?: unknown };
  return typeof file === 'string' ? resolve(scene.cwd, file) : undefined;
};

export function fillCommand(way: WayOf<'command'>, file: string | undefined, cwd: string): CommandRequest {
  const [first, ...rest] = 'argv' in way.run ? way.run.argv : [way.run.line];
  const env = Object.entries(way.set ?? {}).map(([name, value]) => [name, withFile(value, file)]);
  return {
    kind: 'command',
    cwd,
    argv: [withFile(first, file), ...rest.map((part) => withFile(part, file))],
    ...(env.length > 0 && { env: Object.fromEntries(env) as Record<string, string> }),
  };
}
