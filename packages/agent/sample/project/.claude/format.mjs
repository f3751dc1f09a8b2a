// Claude Code, PostToolUse: formats what was just written. A real project would call its formatter here.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const { tool_input: input } = JSON.parse(readFileSync(0, 'utf8'));
const was = readFileSync(input.file_path, 'utf8');
const now = was.replaceAll(/ {2,}/g, ' ').replace(/;?\s*$/, ';\n');
if (now !== was) {
  writeFileSync(input.file_path, now);
  process.stdout.write(JSON.stringify({ systemMessage: `formatted ${basename(input.file_path)}` }));
}
