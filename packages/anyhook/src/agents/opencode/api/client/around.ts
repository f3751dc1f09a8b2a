/** Routes around a session: log, screen, settings, logins, permissions. */

import { homedir } from 'node:os';
import { isPlain } from '../../../../events/changes.ts';
import type { Fields } from '../../../../events/effects.ts';
import { type Credential } from '../../../../events/offers.ts';
import type { Dialogs, Log } from '../../../../events/services.ts';
import { missing, ErrorAnswer, type Routes } from './route.ts';
import type { ClientTerms } from './terms.ts';

export const AROUND: Routes = {
  'POST /log': ({ body }, { services }) => {
    if (services.log === undefined) throw missing('log', 'client.app.log');
    const level = LEVELS.get(body['level']) ?? 'info';
    const { service, extra } = body;
    services.log(
      level,
      `${service === undefined ? '' : `${String(service)}: `}${String(body['message'] ?? '')}`,
      {
        ...(typeof extra === 'object' ? extra : {}),
      },
    );
    return true;
  },
  'POST /tui/show-toast': ({ body }, terms) => {
    const { title, message, variant } = body;
    const level = variant === 'error' || variant === 'warning' ? variant : 'info';
    screen(terms, 'showToast').notify(
      title === undefined ? String(message) : `${String(title)}: ${String(message)}`,
      level,
    );
    return true;
  },
  'POST /tui/append-prompt': ({ body }, terms) =>
    edit(terms, 'appendPrompt', (now) => now + String(body['text'] ?? '')),
  'POST /tui/clear-prompt': (_, terms) => edit(terms, 'clearPrompt', () => ''),
  'GET /config': (_, terms) => settingsOf(terms, 'client.config.get'),
  'GET /agent': async (_, terms) =>
    named(await settingsOf(terms, 'client.app.agents'), 'agent', (one) => one['disable'] !== true).map(
      (one) => ({ mode: 'all', builtIn: false, permission: {}, tools: {}, options: {}, ...one }),
    ),
  'GET /command': async (_, terms) =>
    named(
      await settingsOf(terms, 'client.command.list'),
      'command',
      (one) => typeof one['template'] === 'string',
    ),
  'GET /config/providers': (_, terms) => providersOf(terms),
  'GET /provider'(_, terms) {
    const { providers, default: first } = providersOf(terms);
    return { all: providers, default: first, connected: providers.map(({ id }) => id) };
  },
  'GET /path': (_, { directory, worktree }) => ({
    state: '',
    config: '',
    worktree,
    directory,
    home: homedir(),
  }),
  'GET /project': (_, terms) => [projectOf(terms)],
  'GET /project/current': (_, terms) => projectOf(terms),
  async 'PUT /auth/{id}'({ path, body }, { credentials }) {
    if (credentials === undefined) throw missing('credentials', 'client.auth.set');
    await credentials.set(path['id']!, body as Credential).catch((error: Error) => {
      throw new ErrorAnswer(400, 'BadRequest', error.message);
    });
    return true;
  },
  'POST /session/{id}/permissions/{permission}': ({ path, body }, terms) =>
    reply(terms, path['permission']!, body['response'], path['id']),
  'POST /permission/{permission}/reply': ({ path, body }, terms) =>
    reply(terms, path['permission']!, body['reply']),
};

async function settingsOf({ config, services }: ClientTerms, wanted: string): Promise<Fields> {
  const settings = (await services.config?.()) ?? config?.();
  if (!isPlain(settings)) throw missing('config', wanted);
  return settings;
}

/** Returns the named entries under a settings key, after changes by hooks, as a list. */
const named = (settings: Fields, key: string, counts: (one: Fields) => boolean): Fields[] =>
  Object.entries(isPlain(settings[key]) ? settings[key] : {}).flatMap(([name, one]) =>
    isPlain(one) && counts(one) ? [{ ...one, name }] : [],
  );

const LEVELS: ReadonlyMap<unknown, Parameters<Log>[0]> = new Map(
  (['debug', 'info', 'warn', 'error'] as const).map((level) => [level, level]),
);

function screen({ services }: ClientTerms, wanted: string): Dialogs {
  if (services.ui === undefined) throw missing('ui', `client.tui.${wanted}`);
  return services.ui;
}

function edit(terms: ClientTerms, wanted: string, change: (now: string) => string): true {
  const ui = screen(terms, wanted);
  if (ui.setEditorText === undefined) throw missing('ui.setEditorText', `client.tui.${wanted}`);
  ui.setEditorText(change(ui.getEditorText?.() ?? ''));
  return true;
}

/** Models of the host by provider. */
function providersOf({ services }: ClientTerms) {
  if (services.model === undefined) throw missing('model', 'client.config.providers');
  const models = (services.model.all?.() ?? [services.model.current()]).filter(isPlain);
  const ids = [...new Set(models.map(({ provider }) => String(provider ?? '')))];
  const named = (id: string) => models.filter(({ provider }) => String(provider ?? '') === id);
  return {
    providers: ids.map((id) => ({
      id,
      name: id,
      source: 'custom',
      env: [],
      options: {},
      models: Object.fromEntries(named(id).map((model) => [String(model['id']), model])),
    })),
    default: Object.fromEntries(ids.map((id) => [id, String(named(id)[0]?.['id'] ?? '')])),
  };
}

const projectOf = ({ project, worktree }: ClientTerms) =>
  project ?? { id: 'global', worktree, time: { created: 0 } };

async function reply(
  { replyToPermission }: ClientTerms,
  permission: string,
  answer: unknown,
  session?: string,
): Promise<boolean> {
  if (replyToPermission === undefined) throw missing('permissions', 'a reply to a question of permission');
  if (answer !== 'once' && answer !== 'always' && answer !== 'reject')
    throw new ErrorAnswer(
      400,
      'BadRequest',
      `the answer must be once, always or reject, not ${JSON.stringify(answer)}`,
    );
  if (await replyToPermission(permission, answer, session)) return true;
  throw new ErrorAnswer(404, 'NotFoundError', `no pending permission request ${permission}`);
}
