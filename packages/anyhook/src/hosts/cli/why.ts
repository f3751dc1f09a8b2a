import { EVENT_NAMES, type EventName, isEventName } from '../../canon/events.ts';
import { nearest } from '../../canon/problems.ts';
import type { Payload } from '../../canon/events.ts';
import { columns } from '../../views/columns.ts';
import { brief } from '../../views/safe.ts';
import type { Explained, Hooks } from '../library/options.ts';
import { plainHook } from './list.ts';
import { paint, print, printJson } from './print.ts';
import { survey } from './survey.ts';
import { label } from '../../canon/hook.ts';
import { UsageError } from './usage-error.ts';

type Options = Readonly<Record<string, string | boolean | undefined>>;

/** Exit 1 when nobody would be asked. */
export async function why(event: string, options: Options): Promise<number> {
  if (!isEventName(event)) {
    const near = nearest(event, EVENT_NAMES);
    throw new UsageError(
      `why: no event is called ${JSON.stringify(event)}; ${near === undefined ? `known are ${EVENT_NAMES.join(', ')}` : `did you mean ${near}?`}`,
    );
  }
  const payload = payloadFrom(event, options) as Payload;
  const hooks = await survey(options['cwd'] as string | undefined);
  const explained = hooks.plan({ name: event, payload });
  if (options['json'] === true)
    printJson({
      event: explained.event,
      asked: explained.asked.map(({ hook, ...rest }) => ({ hook: plainHook(hook), ...rest })),
      unmatched: explained.unmatched,
    });
  else print(lines(event, explained, hooks));
  await hooks.close();
  return explained.asked.some(({ matches }) => matches) ? 0 : 1;
}

function lines(event: EventName, { asked, unmatched }: Explained, hooks: Hooks): string[] {
  if (asked.length === 0 && unmatched.length === 0) return [`Nobody listens to ${event}.`];
  const rows = asked.map(({ hook, as, matches, why: reason }, i) => [
    `${i + 1}.`,
    matches ? paint('green', 'would be asked') : paint('yellow', 'would not run'),
    `[${hook.dialect}] ${as === event ? hook.on : `${hook.on} (as ${as})`}`,
    brief(label(hook), 50),
    matches ? paint('dim', `matches ${hook.matcher ?? 'everything'}`) : brief(reason, 80),
    paint('dim', `${hook.origin.file}:${hook.origin.line}`),
  ]);
  const passed = unmatched.map((id) => {
    const hook = hooks.hooks.find((one) => one.id === id);
    return [
      '-',
      paint('dim', 'does not match'),
      `[${hook?.dialect ?? '?'}]`,
      brief(hook === undefined ? id : label(hook), 50),
      paint('dim', `wants ${hook?.matcher ?? '?'}`),
      paint('dim', hook === undefined ? '' : `${hook.origin.file}:${hook.origin.line}`),
    ];
  });
  return columns([...rows, ...passed]);
}

function payloadFrom(event: EventName, options: Options): object {
  const whole = jsonOption('--payload', options['payload']);
  const input = jsonOption('--input', options['input']);
  const tool = options['tool'];
  if ((tool !== undefined || input !== undefined) && !event.startsWith('tool.'))
    throw new UsageError(`why: --tool and --input belong to tool events, not to ${event}; use --payload`);
  return { ...whole, ...(event.startsWith('tool.') && { tool: tool ?? '', input: input ?? {} }) };
}

function jsonOption(name: string, text: string | boolean | undefined): object | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new UsageError(`why: ${name} is no JSON: ${(error as Error).message}`);
  }
  throw new UsageError(`why: ${name} wants a JSON object, not ${text}`);
}
