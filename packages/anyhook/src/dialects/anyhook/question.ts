import { question as asked } from '../../canon/question.ts';

export const question = (words: string): string => asked(words, 'when it must not happen.');
