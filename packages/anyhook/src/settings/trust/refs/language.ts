export type Language = 'shell' | 'javascript' | 'python' | 'other' | 'none';

const BY_ENDING: Readonly<Record<string, Language>> = {
  sh: 'shell', bash: 'shell', zsh: 'shell', ksh: 'shell', dash: 'shell',
  js: 'javascript', mjs: 'javascript', cjs: 'javascript', jsx: 'javascript',
  ts: 'javascript', mts: 'javascript', cts: 'javascript', tsx: 'javascript',
  py: 'python', pyw: 'python',
  rb: 'other', pl: 'other', php: 'other', lua: 'other', mk: 'other', awk: 'other', jq: 'other', fish: 'other', ps1: 'other',
  json: 'none', jsonc: 'none', toml: 'none', yaml: 'none', yml: 'none', md: 'none', txt: 'none', lock: 'none',
  csv: 'none', xml: 'none', html: 'none', css: 'none', log: 'none', env: 'none',
}; // prettier-ignore

/** By its ending, then by its first line; a text with neither is what a shell would take it for. */
export function languageOf(name: string, bytes: Buffer): Language {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_ENDING, ending)) return BY_ENDING[ending] ?? 'none';
  const head = bytes.subarray(0, 256).toString('latin1');
  const shebang = /^#![^\n]*/.exec(head)?.[0];
  if (shebang !== undefined) {
    if (/\b(ba|da|z|k|a|)sh\b/.test(shebang)) return 'shell';
    if (/\b(node|bun|deno|tsx|ts-node)\b/.test(shebang)) return 'javascript';
    return /\b(python|pypy)/.test(shebang) ? 'python' : 'other';
  }
  return bytes.includes(0) ? 'none' : 'shell';
}
