/**
 * An outcome for a Codex agent. It is strict: a field it does not expect voids the whole answer, and what is void lets
 * the action pass. So a refusal is exit 2 with a reason on stderr, which it has always obeyed, and nothing else is said.
 */
import { isPlain } from '../../canon/changes.ts';
import { contentText } from '../../canon/content.ts';
import type { Fields } from '../../canon/effects.ts';
import type { Event } from '../../canon/event.ts';
import type { ExitReply } from '../../canon/exchange.ts';
import { type Outcome, wasChanged } from '../../canon/outcome.ts';
import { type CodexWord, codexEvent, isCodexWord, words } from './events.ts';

export function writeReply(outcome: Outcome, event: Event): ExitReply {
  const word = wordOf(event);
  const refusal = refusalIn(outcome);
  if (refusal !== undefined && (word === undefined || ['deny', 'resume'].includes(codexEvent(word).block)))
    return { kind: 'exited', code: 2, stdout: '', stderr: `${refusal}\n` };
  const answer = word === undefined ? {} : answerOf(outcome, word);
  const stdout = Object.keys(answer).length === 0 ? '' : `${JSON.stringify(answer)}\n`;
  return { kind: 'exited', code: 0, stdout, stderr: '' };
}

/** The word it came with, or the first that stands for our moment. */
function wordOf({ name, payload, raw }: Event): CodexWord | undefined {
  const said = isPlain(raw) ? raw['hook_event_name'] : undefined;
  if (isCodexWord(said)) return said;
  if (name !== 'other') return words[name]?.[0];
  const { word } = payload as { word?: unknown };
  return isCodexWord(word) ? word : undefined;
}

/** A halt alone is `continue: false`. */
const refusalIn = ({ proceed, reason, verdict, flow }: Outcome): string | undefined =>
  proceed === 'no' && (verdict === 'deny' || flow.resume !== undefined) ? reason : undefined;

function answerOf(outcome: Outcome, word: CodexWord): Fields {
  const row = codexEvent(word);
  const ends = row.stop === undefined ? undefined : outcome.flow[row.stop];
  const notices = outcome.forPerson.join('\n');
  const specific = specificOf(outcome, word);
  return {
    ...(ends !== undefined && { continue: false, ...(ends !== '' && { stopReason: ends }) }),
    ...(row.block === 'replace' &&
      wasChanged(outcome, 'content') && {
        decision: 'block',
        reason: contentText(outcome.payload['content']) || '(nothing)',
      }),
    ...(row.message && notices !== '' && { systemMessage: notices }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: word, ...specific } }),
  };
}

function specificOf(outcome: Outcome, word: CodexWord): Fields {
  const told = codexEvent(word).context ? outcome.forModel.join('\n') : '';
  if (word === 'PermissionRequest')
    return outcome.verdict === 'allow' ? { decision: { behavior: 'allow' } } : {};
  return {
    // A change is heard only together with an approval, and an approval only together with a change.
    ...(word === 'PreToolUse' &&
      wasChanged(outcome, 'input') && {
        permissionDecision: 'allow',
        updatedInput: outcome.payload['input'],
      }),
    ...(told !== '' && { additionalContext: told }),
  };
}
