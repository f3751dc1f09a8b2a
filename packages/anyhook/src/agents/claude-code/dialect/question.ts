import { judgePrompt as asked } from '../../../events/question.ts';

const OTHERWISE = `when there is one. When the agent wants to stop and what is missing cannot be done at all,
answer {"ok": false, "reason": "…", "impossible": true}.`;

export const claudeJudgePrompt = (words: string): string => asked(words, OTHERWISE);
