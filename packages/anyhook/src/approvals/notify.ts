/** Tells the user about a new question: by the desktop, by a command of theirs, or by a webhook. Never throws and never waits long. */

import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Notifier } from '../events/approval-settings.ts';
import type { Question } from './question.ts';
import { revealed } from './reveal.ts';

/** A notification may take this long. It runs while the agent waits, so a slow one costs nothing else. */
const LIMIT_MS = 10_000;
/** The agent does not wait longer than this to learn whether anybody was notified. */
const REPORT_MS = 1500;

export interface NotifyReport {
  readonly sent: number;
  readonly failed: readonly string[];
}
export type Notify = (question: Question) => Promise<NotifyReport>;
type Env = Readonly<Record<string, string | undefined>>;

export const makeNotify =
  (notifiers: readonly Notifier[], env: Env): Notify =>
  async (question) => {
    const results = await Promise.all(
      notifiers.map((notifier) => inTime(send(notifier, question, env), nameOf(notifier))),
    );
    const failed = results.filter((result): result is string => typeof result === 'string');
    return { sent: results.filter((result) => result === 'sent' || result === true).length, failed };
  };

/** `true`: sent. `false`: this notifier does not exist here. A string: why it failed. */
type Sent = true | false | string;

function send(notifier: Notifier, question: Question, env: Env): Promise<Sent> {
  if (notifier === 'desktop') return sendToDesktop(question, env);
  return 'command' in notifier
    ? run('sh', ['-c', notifier.command], { env, input: JSON.stringify(question), name: nameOf(notifier) })
    : post(notifier.webhook, question);
}

const nameOf = (notifier: Notifier): string =>
  notifier === 'desktop' ? 'desktop' : 'command' in notifier ? notifier.command : notifier.webhook;

/** A slow notifier counts as sent: it may still reach the user. */
const inTime = (sending: Promise<Sent>, name: string): Promise<Sent> =>
  Promise.race([
    sending.catch((error: unknown) => `${name}: ${(error as Error).message}`),
    new Promise<Sent>((resolve) => setTimeout(resolve, REPORT_MS, true).unref()),
  ]);

/** Texts for small surfaces. What the agent wants to run is quoted and cannot pose as our text. */
export function noticeText({ agent, tool, call, project, reasons }: Question): {
  readonly title: string;
  readonly body: string;
} {
  const reason = reasons[0];
  return {
    title: `${agent} asks: ${tool ?? 'an action'}`,
    body: [
      `“${revealed(call, 160)}”`,
      `in ${revealed(project, 60)}`,
      ...(reason === undefined || reason.text === '' ? [] : [revealed(reason.text, 120)]),
      'Answer with: anyhook approvals',
    ].join('\n'),
  };
}

function sendToDesktop(question: Question, env: Env): Promise<Sent> {
  const { title, body } = noticeText(question);
  if (process.platform === 'darwin')
    return run('osascript', ['-e', MAC_SCRIPT, title, body], { env, name: 'osascript' });
  if (process.platform === 'win32')
    return run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT], {
      env: { ...env, ANYHOOK_TITLE: title, ANYHOOK_BODY: body },
      name: 'powershell',
    });
  const hasDisplay = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  if (!hasDisplay || !isOnPath('notify-send', env)) return Promise.resolve(false);
  const markup = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return run('notify-send', ['--app-name=anyhook', '--urgency=critical', '--', title, markup], {
    env,
    name: 'notify-send',
  });
}

const MAC_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title "anyhook" subtitle (item 1 of argv)',
  'end run',
].join('\n');

/** The texts arrive as variables, so nothing in them is a command. */
const WINDOWS_SCRIPT = [
  '[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]',
  '$t = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)',
  '$x = $t.GetElementsByTagName("text")',
  '[void]$x.Item(0).AppendChild($t.CreateTextNode($env:ANYHOOK_TITLE))',
  '[void]$x.Item(1).AppendChild($t.CreateTextNode($env:ANYHOOK_BODY))',
  '[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier("anyhook").Show([Windows.UI.Notifications.ToastNotification]::new($t))',
].join('; ');

function isOnPath(program: string, { PATH = '' }: Env): boolean {
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

interface Program {
  readonly env: Env;
  readonly name: string;
  readonly input?: string;
}

function run(program: string, args: readonly string[], { env, name, input }: Program): Promise<Sent> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: env as NodeJS.ProcessEnv,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: process.platform !== 'win32', // so that its children end with it
      windowsHide: true,
    });
    const timer = setTimeout(
      () => end(`${name}: no end after ${LIMIT_MS / 1000} s`, 'kill'),
      LIMIT_MS,
    ).unref();
    function end(result: Sent, how?: 'kill'): void {
      clearTimeout(timer);
      if (how === 'kill') kill(child.pid);
      resolve(result);
    }
    child.on('error', (error) => end(`${name}: ${error.message}`));
    child.on('exit', (code, signal) => end(code === 0 ? true : `${name}: exit ${code ?? signal}`));
    child.stdin.on('error', () => {}); // it may not read its input
    child.stdin.end(input ?? '');
    child.unref();
  });
}

function kill(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // it has ended by now
  }
}

async function post(address: string, question: Question): Promise<Sent> {
  const { title, body } = noticeText(question);
  // `text` is what Slack shows, `title` and `message` are what ntfy shows.
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title, message: body, text: `${title}\n${body}`, question }),
    signal: AbortSignal.timeout(LIMIT_MS),
    redirect: 'error',
  });
  await response.body?.cancel();
  return response.ok ? true : `${address}: HTTP ${response.status}`;
}
