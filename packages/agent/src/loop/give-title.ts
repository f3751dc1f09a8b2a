/**
 * Names a session after its first exchange with the small model. Without a small model, the first prompt is the name.
 */

import { generateText } from 'ai';
import { askedFrom } from '../hooks/actor.ts';
import { onTrack } from '../models/track.ts';
import { textOf } from '../session/message.ts';
import { messageOf } from './failure.ts';
import { smallModel } from './small-model.ts';
import type { Talk } from './talk.ts';

const ASK =
  'Name the conversation below in at most eight words, in its own language. Write the name and nothing else.';
const MOST_READ = 4000;
const LONGEST = 80;

/** Returns true if the session now has a title. Never rejects. */
export async function giveTitle(
  talk: Pick<Talk, 'life' | 'who' | 'session' | 'listen'>,
  signal: AbortSignal,
): Promise<boolean> {
  const { session, who, listen } = talk;
  try {
    const small = await smallModel(talk);
    if (small === undefined) return false;
    const { text } = await askedFrom(who, () =>
      generateText({
        model: small.model,
        system: ASK,
        prompt: transcriptOf(talk),
        maxRetries: 0,
        abortSignal: signal,
        providerOptions: onTrack('title'),
      }),
    );
    const [label = ''] = text.trim().split('\n');
    if (signal.aborted || label === '' || session.title !== undefined) return false;
    session.append({ type: 'label', target: null, label: label.slice(0, LONGEST) });
    return true;
  } catch (error) {
    if (!signal.aborted)
      listen({ kind: 'notice', level: 'info', text: `the session has no title: ${messageOf(error)}` });
    return false;
  }
}

const transcriptOf = ({ session }: Pick<Talk, 'session'>): string =>
  session
    .messages()
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map((message) => `${message.role}: ${textOf(message)}`)
    .join('\n\n')
    .slice(0, MOST_READ);
