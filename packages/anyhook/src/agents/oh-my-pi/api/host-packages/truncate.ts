/** Truncates output for a model like pi: whole lines from the start or end, limited by lines and bytes. */
export const DEFAULT_MAX_LINES = 2000;
export const DEFAULT_MAX_BYTES = 50 * 1024;

export interface TruncationOptions {
  readonly maxLines?: number;
  readonly maxBytes?: number;
}
export interface TruncationResult {
  readonly content: string;
  readonly truncated: boolean;
  readonly truncatedBy: 'lines' | 'bytes' | null;
  readonly totalLines: number;
  readonly totalBytes: number;
  readonly outputLines: number;
  readonly outputBytes: number;
  readonly lastLinePartial: boolean;
  readonly firstLineExceedsLimit: boolean;
  readonly maxLines: number;
  readonly maxBytes: number;
}

export const truncateHead = (content: string, options?: TruncationOptions): TruncationResult =>
  truncated(content, options, 'head');
export const truncateTail = (content: string, options?: TruncationOptions): TruncationResult =>
  truncated(content, options, 'tail');

export function truncateLine(line: string, most = 500): { text: string; wasTruncated: boolean } {
  return line.length <= most
    ? { text: line, wasTruncated: false }
    : { text: `${line.slice(0, most)}... [truncated]`, wasTruncated: true };
}

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`;
  return bytes < 1024 ** 2 ? `${(bytes / 1024).toFixed(1)}KB` : `${(bytes / 1024 ** 2).toFixed(1)}MB`;
}

function truncated(
  content: string,
  { maxLines = DEFAULT_MAX_LINES, maxBytes = DEFAULT_MAX_BYTES }: TruncationOptions = {},
  from: 'head' | 'tail',
): TruncationResult {
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  const whole = { totalLines: lines.length, totalBytes: Buffer.byteLength(content), maxLines, maxBytes };
  const cut = { lastLinePartial: false, firstLineExceedsLimit: false };
  if (lines.length <= maxLines && whole.totalBytes <= maxBytes)
    return {
      content,
      truncated: false,
      truncatedBy: null,
      ...whole,
      outputLines: lines.length,
      outputBytes: whole.totalBytes,
      ...cut,
    };
  const ordered = from === 'head' ? lines : lines.toReversed();
  const kept: string[] = [];
  let bytes = 0;
  for (const line of ordered.slice(0, maxLines)) {
    const size = Buffer.byteLength(line) + (kept.length > 0 ? 1 : 0);
    if (bytes + size > maxBytes) break;
    kept.push(line);
    bytes += size;
  }
  const isPartial = kept.length === 0 && from === 'tail' && maxLines > 0;
  if (isPartial) kept.push(endOf(ordered[0] ?? '', maxBytes));
  const text = (from === 'head' ? kept : kept.toReversed()).join('\n');
  return {
    content: text,
    truncated: true,
    truncatedBy: kept.length >= maxLines && !isPartial ? 'lines' : 'bytes',
    ...whole,
    outputLines: kept.length,
    outputBytes: Buffer.byteLength(text),
    lastLinePartial: isPartial,
    firstLineExceedsLimit: from === 'head' && kept.length === 0,
  };
}

/** Starts at a character boundary. */
function endOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - maxBytes);
  while (start < bytes.length && (bytes[start]! & 0xc0) === 0x80) start++;
  return bytes.subarray(start).toString('utf8');
}
