import { judgePrompt as asked } from '../../../events/question.ts';

export const ownJudgePrompt = (words: string): string => asked(words, 'when it must not happen.');
