import type { Spot } from '../../../events/checker.ts';
import type { Layer } from '../../../events/hook.ts';

/** Names by which an environment runs code of its own or bends the programs a hook relies on. */
const LEVERS =
  /^(?:LD_|DYLD_|GIT_|PYTHON|PERL5|RUBY|NODE_|BASH_ENV$|BASH_FUNC_|ENV$|IFS$|PATH$|SHELLOPTS$|BASHOPTS$|PS4$|PROMPT_COMMAND$)/i;

/** Our own names are never a hook's to set, and a project does not get to set those that load code. */
export function checkEnv(spot: Spot, env: Readonly<Record<string, string>>, layer: Layer): void {
  for (const [name, value] of Object.entries(env)) {
    const place = spot.part(name);
    if (name === '' || /[=\0]/.test(name) || value.includes('\0'))
      place.say('bad-value', `${JSON.stringify(name)} cannot be set in an environment`, { at: 'key' });
    else if (/^ANYHOOK_/i.test(name))
      place.say('bad-value', 'names that begin with ANYHOOK_ are set by anyhook itself', { at: 'key' });
    else if (layer === 'project' && LEVERS.test(name))
      place.say('bad-value', `a project may not set ${name}: it can load code`, {
        at: 'key',
        remedy: 'Set it inside the script, or in your own settings file.',
      });
  }
}
