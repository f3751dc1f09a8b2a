import { describeThrown } from '../../../runners/module/thrown.mjs';
import type { CodedRefusal } from './codec.ts';
import { HookError } from './errors.ts';

/** An error as it travels; the class stays here, its code goes over where the codec has room for one. */
export const refusalOf = (error: unknown): CodedRefusal => ({
  code: error instanceof HookError ? error.code : 'hook_execution_error',
  message: describeThrown(error).message,
});
