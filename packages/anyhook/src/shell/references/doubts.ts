/** Detects code that starts programs, or loads code that its text does not name. */

import type { Language } from './language.ts';

const RUNS: Partial<Readonly<Record<Language, RegExp>>> = {
  javascript:
    /\b(?:child_process|worker_threads|execa|shelljs|zx|cross-spawn|dlopen|_linkedBinding|runIn(?:This|New)?Context|Deno\.(?:run|Command|dlopen)|Bun\.(?:spawn(?:Sync)?|\$|plugin))\b|(?<![.\w])eval\s*\(|\bFunction\s*\(|["'](?:node:)?(?:vm|cluster)["']|\bmodule\.(?:register|_load|constructor)\b|\bcreateRequire\b/,
  python:
    /subprocess|\bos\.(?:system|popen|exec\w*|spawn\w*|posix_spawn\w*)|\bfrom\s+os\s+import\b[^\n]*(?:\*|\b(?:system|popen|exec|spawn))|\b(?:plumbum|invoke|fabric|pexpect|importlib|__import__|runpy|zipimport|pkgutil|ctypes|cffi|pickle|marshal|shelve|multiprocessing|pty|imp)\b|\bsys\.path\b|\baddsitedir\b|(?<![.\w])(?:exec|eval|compile|execfile)\s*\(/,
  perl: /`|\bqx\b|\b(?:system|exec|fork|syscall|eval|lib)\b|\brequire\s*[("'$]|\bdo\s*[("'$]|\bopen\w*\b[^;\n]*\||@INC/,
  ruby: /`|%x|\b(?:system|exec|spawn|popen\w*|capture\w*|fork|eval|instance_eval|class_eval|load|autoload|Open3|PTY)\b|\brequire\b\s*\(?\s*(?:["']\.|[^"'\s(])|\brequire_relative\b[ \t(]+[^"'\s(]|\$LOAD_PATH|\$:/,
  php: /`|\b(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|eval|assert|create_function|dl)\s*\(|\b(?:include|require)(?:_once)?\b(?!\s*\(?\s*__DIR__\s*\.\s*(?:"[^"$]+"|'[^']+')\s*\)?\s*;)/,
  lua: /\b(?:os\.execute|io\.popen|load\w*|dofile|require|package\.\w+)\b/,
  awk: /\bsystem\s*\(|\|&?\s*(?:getline|"|\w)|\bgetline\b|@(?:include|load)\b/,
  sed: /(?:^|[;{}\n])\s*(?:[\d$/,!~+\w\\^.*[\]-]*\s*)?e(?:\s|$)|\/[gIimMpw\d]*e[gIimMp\d]*\s*(?:[;}\n]|$)/,
  jq: /(?:^|[;\s])(?:import|include)\s/,
};

export const STARTS = 'it starts programs or loads code by other means';

/** Reasons why some of the code that a text runs is unknown; empty if all of it is known. */
export function doubtsIn(text: string, language: Language): string[] {
  if (language === 'program') return ['it is no text, so what it loads and starts cannot be read'];
  if (language === 'other') return ['it is in a language that is not followed'];
  if (language === 'make') return ['what its recipes run is not followed'];
  const found = RUNS[language]?.exec(text)?.[0].trim();
  if (found === undefined) return [];
  return [`${STARTS} (${found.replace(/\s+/g, ' ').slice(0, 40)})`];
}
