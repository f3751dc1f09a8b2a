/** Parses model names such as `anthropic:claude-sonnet-4-5`. */

import { nearestOf } from '../front/nearest-of.ts';
import { NoModel } from './no-model.ts';

export type Spec =
  | { readonly provider: 'anthropic' | 'openai' | 'openai-chat'; readonly id: string }
  | { readonly provider: 'openai-compatible'; readonly url: string; readonly id: string }
  | { readonly provider: 'scripted'; readonly file: string };

const FORMS = {
  anthropic: 'anthropic:<model>',
  openai: 'openai:<model>',
  'openai-chat': 'openai-chat:<model>',
  'openai-compatible': 'openai-compatible:<url>#<model>',
  scripted: 'scripted:<file>',
} as const satisfies Record<Spec['provider'], string>;

export function readSpec(spec: string): Spec {
  const [, provider = '', rest = ''] = /^([^:]*):(.*)$/s.exec(spec) ?? [];
  if (!Object.hasOwn(FORMS, provider) || rest === '') throw new NoModel(wrongSpec(spec));
  switch (provider as Spec['provider']) {
    case 'scripted':
      return { provider: 'scripted', file: rest };
    case 'openai-compatible':
      return compatible(spec, rest);
    default:
      return { provider: provider as 'anthropic' | 'openai' | 'openai-chat', id: rest };
  }
}

function compatible(spec: string, rest: string): Spec {
  const [, url = '', id = ''] = /^([^#]*)#(.+)$/s.exec(rest) ?? [];
  if (id === '' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new NoModel(
      `'${spec}' needs an address and a model: ${FORMS['openai-compatible']}, as openai-compatible:http://127.0.0.1:11434/v1#llama3.`,
    );
  }
  return { provider: 'openai-compatible', url: url.replace(/\/+$/, ''), id };
}

function wrongSpec(spec: string): string {
  const forms = `A model is one of ${Object.values(FORMS).join(', ')}.`;
  const meant = meantBy(spec);
  return `'${spec}' is not a valid model. ${meant === undefined ? forms : `Did you mean '${meant}'? ${forms}`}`;
}

function meantBy(spec: string): string | undefined {
  if (spec === '') return undefined;
  const [, first = '', id = ''] = /^([^:/]+)[:/](.*)$/s.exec(spec) ?? [];
  if (Object.hasOwn(FORMS, first)) return id === '' ? FORMS[first as Spec['provider']] : `${first}:${id}`;
  if (/^https?$/.test(first)) return `openai-compatible:${spec}${spec.includes('#') ? '' : '#<model>'}`;
  const near = first === '' ? undefined : nearestOf(first, Object.keys(FORMS));
  if (near !== undefined) return id === '' ? FORMS[near as Spec['provider']] : `${near}:${id}`;
  if (spec.startsWith('claude')) return `anthropic:${spec}`;
  if (/^(gpt-|o\d)/.test(spec)) return `openai:${spec}`;
  if (/\.(ya?ml|json)$/.test(spec)) return `scripted:${spec}`;
  const alone = nearestOf(spec, Object.keys(FORMS));
  return alone === undefined ? undefined : FORMS[alone as Spec['provider']];
}
