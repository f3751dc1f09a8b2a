/** What all files together say: hooks that are switched off, addresses and variables that HTTP hooks may use. */
import type { FileSettings } from '../../../events/dialect.ts';
import type { Hook, Layer, WayOf } from '../../../events/hook.ts';
import type { Problem } from '../../../events/problems.ts';
import { compileGlob } from '../../../shell/glob.ts';

export function settleClaudeHook(
  hook: Hook,
  said: readonly FileSettings[],
): { hook?: Hook; problem?: Problem } {
  const off = switchedOff(hook.origin.layer, said);
  if (off !== undefined) return { problem: problemOf(hook, `does not run: ${off}.`) };
  if (hook.run.kind === 'http') return settleHttp(hook, hook.run, said);
  const unheeded = switchedOffByProject(hook, said);
  return unheeded === undefined ? { hook } : { hook, problem: problemOf(hook, unheeded) };
}

/**
 * A project may switch off its own hooks and, as in Claude Code, switch them on again where the person switched all off;
 * it cannot switch off the person's, and nobody can switch off an organisation's.
 */
function switchedOff(layer: Layer, said: readonly FileSettings[]): string | undefined {
  const isManaged = layer === 'managed';
  const by = (key: string, layers: readonly Layer[]) =>
    said.findLast(({ place, settings }) => layers.includes(place.layer) && settings[key] !== undefined);
  if (by('disableAllHooks', ['managed'])?.settings['disableAllHooks'] === true)
    return 'managed settings switch all hooks off';
  if (!isManaged && by('allowManagedHooksOnly', ['managed'])?.settings['allowManagedHooksOnly'] === true)
    return 'managed settings allow their own hooks only';
  if (isManaged) return undefined;
  const project = by('disableAllHooks', ['project']);
  if (project?.settings['disableAllHooks'] === false) return undefined;
  const own =
    layer === 'project' ? (project ?? by('disableAllHooks', ['user'])) : by('disableAllHooks', ['user']);
  return own?.settings['disableAllHooks'] === true ? `disableAllHooks in ${own.place.file}` : undefined;
}

/** In Claude Code a project switches off the person's plugins too. Not here: it would be a way to switch off their guards. */
function switchedOffByProject(
  { origin: { layer, plugin } }: Hook,
  said: readonly FileSettings[],
): string | undefined {
  if (plugin === undefined || layer === 'project') return undefined;
  const by = said.find(({ place, settings }) => {
    const plugins = (settings['enabledPlugins'] ?? {}) as Readonly<Record<string, unknown>>;
    return place.layer === 'project' && Object.hasOwn(plugins, plugin.name) && plugins[plugin.name] === false;
  });
  return (
    by &&
    `runs although ${by.place.file} switches ${plugin.name} off: a project switches off none of your own.`
  );
}

/** Lists of all levels are put together; a project's are about the project's hooks only. */
function settleHttp(
  hook: Hook,
  way: WayOf<'http'>,
  said: readonly FileSettings[],
): { hook?: Hook; problem?: Problem } {
  const listed = (key: string): readonly string[] | undefined => {
    const lists = said
      .filter(({ place }) => place.layer !== 'project' || hook.origin.layer === 'project')
      .flatMap(({ settings }) => (settings[key] === undefined ? [] : [settings[key] as readonly string[]]));
    return lists.length === 0 ? undefined : lists.flat();
  };
  const urls = listed('allowedHttpHookUrls');
  if (urls !== undefined && !urls.some((url) => compileGlob(escaped(url)).matches(way.url))) {
    const detail = `${way.url} is not among allowedHttpHookUrls`;
    const run = { kind: 'missing', why: { kind: 'not-started', detail } } as const;
    return { hook: { ...hook, run }, problem: problemOf(hook, `does not run: ${detail}.`) };
  }
  const names = listed('httpHookAllowedEnvVars');
  if (names === undefined || way.env === undefined) return { hook };
  return { hook: { ...hook, run: { ...way, env: way.env.filter((name) => names.includes(name)) } } };
}

/** Only `*` is a wildcard in an address; a `:*` at its end is a port. */
const escaped = (url: string): string =>
  url.replaceAll(/[?[]/g, (sign) => `[${sign}]`).replace(/:\*$/, ':[0-9]*');

const problemOf = ({ origin: { file, line, column } }: Hook, message: string): Problem => ({
  code: 'not-loaded',
  file,
  line,
  ...(column !== undefined && { column }),
  message,
  severity: 'warning',
});
