/** What would run twice for one event. */
import { DIALECTS } from '../../../assemble.ts';
import { type Hook, label } from '../../../canon/hook.ts';
import { momentOf } from '../../cli/menu/sample.ts';
import { nativeTo } from '../../cli/native-to.ts';
import type { Finding } from '../finding.ts';
import type { Looked } from '../looked.ts';
import type { Lint } from './lint.ts';

export const double: Lint = (looked) => [...bridges(looked), ...natively(looked), ...commands(looked)];

/** One bridge in the person's settings, one in the project's: the agent starts us twice. */
function bridges({ installed }: Looked): Finding[] {
  return installed
    .filter(({ scope, agent }) => scope === 'project' && installed.some((one) => one.agent === agent && one.scope === 'user'))
    .map(({ agent, file, entries }) => ({
      code: 'bridge-twice',
      severity: 'error',
      file,
      ...(entries[0] && { line: entries[0].line }),
      what: `The bridge to ${agent} is installed for you and for this project.`,
      why: 'Every hook would be asked twice about every event.',
      remedy: `anyhook uninstall ${agent} --project`,
    }));
}

/** An agent that reads a file by itself, and reaches us too, where the file counts as another agent's. */
function natively({ hooks, installed, ground }: Looked): Finding[] {
  const agents = new Set(installed.map(({ agent }) => agent));
  return [...agents].flatMap((agent) => {
    const native = nativeTo(agent);
    const own = DIALECTS.flatMap((dialect) => {
      const words = native.filter((one) => one === dialect.name || one.startsWith(`${dialect.name}@`));
      const part = words.includes(dialect.name) ? '' : words[0]?.split('@')[1];
      return part === undefined
        ? []
        : dialect.config.places(ground).flatMap(({ file }) => (file.includes(part) ? [file] : []));
    });
    const files = new Set(own);
    return hooks
      .filter(({ origin, dialect }) => files.has(origin.file) && !native.some((one) => one.split('@')[0] === dialect))
      .map(({ origin, id, dialect }) => ({
        code: 'runs-twice',
        severity: 'warning',
        file: origin.file,
        line: origin.line,
        hook: id,
        what: `${agent} reads this file by itself, and reaches us, who run it as a hook of ${dialect}.`,
        why: 'One event would run it twice.',
        remedy: `Keep it in one of the two: in a file of anyhook, or without the bridge to ${agent}.`,
      }));
  });
}

/** The same command for the same moment, once in each of two agents' files: we run both. */
function commands({ hooks }: Looked): Finding[] {
  const first = new Map<string, Hook>();
  return hooks.flatMap((hook): Finding[] => {
    if (hook.run.kind !== 'command') return [];
    const key = JSON.stringify([momentOf(hook), label(hook)]);
    const other = first.get(key);
    if (other === undefined) first.set(key, hook);
    if (other === undefined || other.dialect === hook.dialect) return [];
    return [
      {
        code: 'runs-twice',
        severity: 'warning',
        file: hook.origin.file,
        line: hook.origin.line,
        hook: hook.id,
        what: `The same command stands in ${other.origin.file}:${other.origin.line}, as a hook of ${other.dialect}.`,
        why: 'Where anyhook runs, hooks of all agents run: one event starts it twice.',
        remedy: 'Keep one of them; it counts in every agent that has our bridge.',
      },
    ];
  });
}
