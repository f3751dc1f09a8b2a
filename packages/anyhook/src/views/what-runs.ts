import { type Hook, label } from '../canon/hook.ts';

/** What a hook is called and what it runs, where those are two things. */
export function whatRuns(hook: Hook): string {
  const name = label(hook);
  const { run } = hook;
  if (run.kind === 'missing') return name === hook.id ? (run.why.detail ?? name) : name;
  if (run.kind === 'prompt') return `${name === hook.id ? '' : `${name}: `}asks a model: ${run.text}`;
  if (run.kind !== 'command') return name;
  const text = 'line' in run.run ? run.run.line : run.run.argv.join(' ');
  return name === text || hook.label !== undefined ? name : `${name}: ${text}`;
}
