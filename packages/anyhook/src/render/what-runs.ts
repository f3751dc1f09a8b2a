import { commandOf, type Hook, label } from '../events/hook.ts';

/** What a hook is called and what it runs, where those are two things. */
export function whatRuns(hook: Hook): string {
  const name = label(hook);
  const { run } = hook;
  if (run.kind === 'missing') return name === hook.id ? (run.why.detail ?? name) : name;
  if (run.kind === 'prompt') return `${name === hook.id ? '' : `${name}: `}asks a model: ${run.text}`;
  const text = commandOf(hook);
  if (text === undefined) return name;
  return name === text || hook.label !== undefined ? name : `${name}: ${text}`;
}
