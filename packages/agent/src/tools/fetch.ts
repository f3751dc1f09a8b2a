import { z } from 'zod';
import { plainText } from './plain-text.ts';
import { spilled } from './spill.ts';
import { defineTool, failed } from './tool.ts';

const LARGEST_BYTES = 2 * 1024 * 1024;
const REDIRECTS = 5;
const DEADLINE_MS = 30_000;

export const fetchTool = defineTool({
  name: 'fetch',
  description: 'Gets a web page over http or https; HTML comes as its text, unless format is html.',
  schema: z.object({
    url: z.string().min(1),
    prompt: z.string().optional().describe('What you look for in it'),
    format: z.enum(['text', 'markdown', 'html']).optional(),
  }),
  async execute({ url, prompt, format = 'text' }, { signal }) {
    try {
      const response = await reached(url, AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]));
      const { text, isCut } = await bodyOf(response);
      const isHtml = /html/.test(response.headers.get('content-type') ?? '');
      const { text: output, file } = spilled(isHtml && format !== 'html' ? plainText(text) : text);
      const notes = [
        ...(prompt === undefined ? [] : [`Looked for: ${prompt}`]),
        ...(isCut ? [`[only the first ${LARGEST_BYTES} bytes were read]`] : []),
        ...(response.ok ? [] : [`HTTP ${response.status} ${response.statusText}`]),
      ];
      return {
        output: [...notes, output || '(no text)'].join('\n\n'),
        title: response.url || url,
        metadata: { status: response.status, ...(file !== undefined && { outputFile: file }) },
        ...(!response.ok && { isError: true }),
      };
    } catch (error) {
      signal.throwIfAborted();
      return failed(`${url}: ${whyOf(error)}`);
    }
  },
});

/** Follows redirects and checks that every URL is http or https. */
async function reached(address: string, signal: AbortSignal): Promise<Response> {
  let url = address;
  for (let hop = 0; hop <= REDIRECTS; hop++) {
    if (!URL.canParse(url)) throw new Error(`'${url}' is not a URL`);
    const { protocol } = new URL(url);
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new Error(`only http and https are fetched, not ${protocol}`);
    const response = await fetch(url, { redirect: 'manual', signal });
    const next = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || next === null) return response;
    await response.body?.cancel();
    url = new URL(next, url).href;
  }
  throw new Error(`more than ${REDIRECTS} redirects`);
}

async function bodyOf({ body, headers }: Response): Promise<{ text: string; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_BYTES) break; // This cancels the transfer.
  }
  const bytes = Buffer.concat(chunks).subarray(0, LARGEST_BYTES);
  if (bytes.subarray(0, 8192).includes(0))
    throw new Error(`is not text but ${headers.get('content-type') ?? 'binary'}`);
  return { text: bytes.toString('utf8'), isCut: size > LARGEST_BYTES };
}

function whyOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { message?: string; code?: string } };
  if (name === 'TimeoutError') return `no answer within ${DEADLINE_MS / 1000} s`;
  return cause?.message || cause?.code || message;
}
