/** `npm start -- --view`: shows the finished session in the browser until the user presses ctrl+c. */

import { once } from 'node:events';
import { openBrowser, openView } from 'anyhook/view';
import type { DemoFolders } from './folders.ts';
import type { PlayedSession, Show } from './play.ts';

export async function showView(
  { cwd, home, env }: DemoFolders,
  { id, trust }: PlayedSession,
  { print, paint }: Show,
): Promise<void> {
  const view = await openView({ cwd, home, env, trust });
  const address = view.addressOf(id);
  print('');
  print(paint('bold', 'The session, as its hooks saw it:'));
  print(address);
  print(paint('dim', 'ctrl+c ends it and takes the temporary home and project away.'));
  const browser = process.stdout.isTTY ? openBrowser(address, process.env) : undefined;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(process, 'SIGINT', { signal }), once(process, 'SIGTERM', { signal })]);
  waiting.abort();
  browser?.forget();
  await view.close();
}
