import { commandOf, type Hook, label } from '../events/hook.ts';
import { ruleSentence } from '../events/rule.ts';

/** Describes what a hook runs, preceded by its name if that differs. */
export function whatRuns(hook: Hook): string {
  const name = label(hook);
  const { run } = hook;
  if (run.kind === 'missing') return name === hook.id ? (run.why.detail ?? name) : name;
  if (run.kind === 'prompt') return `${name === hook.id ? '' : `${name}: `}asks a model: ${run.text}`;
  if (run.kind === 'rule') {
    const sentence = ruleSentence(run.rule);
    return name === sentence ? name : `${name}: ${sentence}`;
  }
  const text = commandOf(hook);
  if (text === undefined) return name;
  return name === text || hook.label !== undefined ? name : `${name}: ${text}`;
}
