/**
 * All methods of the SDK's client by part, so that a plugin finds them before the SDK is loaded. The compiler checks
 * the names against the SDK's types, and a test checks the list against the SDK.
 */

import type { OpencodeClient } from '@opencode-ai/sdk';

type Part = {
  [P in keyof OpencodeClient]: OpencodeClient[P] extends (...args: never[]) => unknown ? never : P;
}[keyof OpencodeClient];
type Methods = { readonly [P in Part]: readonly (keyof OpencodeClient[P])[] };

export const PARTS = {
  global: ['event'],
  project: ['list', 'current'],
  pty: ['list', 'create', 'remove', 'get', 'update', 'connect'],
  config: ['get', 'update', 'providers'],
  tool: ['ids', 'list'],
  instance: ['dispose'],
  path: ['get'],
  vcs: ['get'],
  session: [
    'list',
    'create',
    'status',
    'delete',
    'get',
    'update',
    'children',
    'todo',
    'init',
    'fork',
    'abort',
    'unshare',
    'share',
    'diff',
    'summarize',
    'messages',
    'prompt',
    'message',
    'promptAsync',
    'command',
    'shell',
    'revert',
    'unrevert',
  ],
  command: ['list'],
  provider: ['list', 'auth'],
  find: ['text', 'files', 'symbols'],
  file: ['list', 'read', 'status'],
  app: ['log', 'agents'],
  mcp: ['status', 'add', 'connect', 'disconnect'],
  lsp: ['status'],
  formatter: ['status'],
  tui: [
    'appendPrompt',
    'openHelp',
    'openSessions',
    'openThemes',
    'openModels',
    'submitPrompt',
    'clearPrompt',
    'executeCommand',
    'showToast',
    'publish',
  ],
  auth: ['remove', 'start', 'callback', 'authenticate', 'set'],
  event: ['subscribe'],
} as const satisfies Methods;

/** Nested parts. */
export const INNER_PARTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  provider: { oauth: ['authorize', 'callback'] },
  mcp: { auth: ['remove', 'start', 'callback', 'authenticate', 'set'] },
  tui: { control: ['next', 'response'] },
};
/** Methods of the client itself. */
export const OWN_METHODS = [
  'postSessionIdPermissionsPermissionId',
] as const satisfies readonly (keyof OpencodeClient)[];
/** Methods that some plugins use to send their own requests. */
export const RAW_METHODS = ['request', 'get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
