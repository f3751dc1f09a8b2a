import { judgePrompt as asked } from '../../canon/question.ts';

export const ownJudgePrompt = (words: string): string => asked(words, 'when it must not happen.');
