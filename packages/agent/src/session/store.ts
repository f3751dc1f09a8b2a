/** Stores sessions: one folder per working folder, one file per session. */

import { createHash, randomUUID } from 'node:crypto';
import { openSync, readdirSync, readSync, closeSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Entry, type Header, VERSION } from './entry.ts';
import { textOf } from './message.ts';
import { Session, type SessionTerms } from './session.ts';

export interface ListedSession {
  readonly file: string;
  readonly id: string;
  readonly cwd: string;
  readonly started: string;
  readonly changedMs: number;
  /** The title, or the beginning of the first prompt. */
  readonly about: string;
}
export interface StoreTerms extends SessionTerms {
  /** Usually `~/.local/state/anyhook-agent/sessions`. */
  readonly folder: string;
  readonly cwd: string;
}

export class SessionStore {
  readonly folder: string;
  readonly #terms: StoreTerms;
  constructor(terms: StoreTerms) {
    this.#terms = terms;
    this.folder = join(terms.folder, nameOf(resolve(terms.cwd)));
  }

  create(parentSession?: string): Session {
    const header = this.#header(parentSession);
    return Session.create(header, this.#fileOf(header), this.#terms);
  }

  /** Creates a session with the branch up to an entry; null copies nothing. */
  branch(from: Session, upTo: string | null): Session {
    const header = this.#header(from.file);
    const entries = upTo === null ? [] : from.branch(upTo);
    return Session.create(header, this.#fileOf(header), this.#terms, entries);
  }

  /** Stored separately, so that subagents are not listed for resuming. */
  subagent(of: Session, agent: string): Session {
    const header = this.#header(of.file);
    return Session.create(header, join(this.folder, 'subagents', `${of.id}_${agent}.jsonl`), this.#terms);
  }

  /** `which` is a file or the beginning of an id. */
  open(which: string): Session {
    const named = /[\\/]|\.jsonl$/.test(which)
      ? resolve(which)
      : this.list().find(({ id }) => id.startsWith(which))?.file;
    return Session.open(named ?? resolve(which), this.#terms);
  }

  /** The most recently written session of this folder. */
  latest(): Session | undefined {
    const [newest] = this.list();
    return newest && Session.open(newest.file, this.#terms);
  }

  /** Newest first. Unreadable files are reported and skipped. */
  list(): ListedSession[] {
    return namesIn(this.folder)
      .flatMap((name) => this.#listed(join(this.folder, name)))
      .toSorted((a, b) => b.changedMs - a.changedMs || b.started.localeCompare(a.started));
  }

  #listed(file: string): ListedSession[] {
    try {
      const { header, about } = glance(file);
      return [
        {
          file,
          id: header.id,
          cwd: header.cwd,
          started: header.timestamp,
          changedMs: statSync(file).mtimeMs,
          about,
        },
      ];
    } catch (error) {
      this.#terms.warn(`${file}:1: ${(error as Error).message}; it is not listed.`);
      return [];
    }
  }
  #header(parentSession?: string): Header {
    return {
      type: 'session',
      version: VERSION,
      id: randomUUID(),
      cwd: resolve(this.#terms.cwd),
      timestamp: new Date().toISOString(),
      ...(parentSession !== undefined && { parentSession }),
    };
  }
  #fileOf({ id, timestamp }: Header): string {
    return join(this.folder, `${timestamp.replaceAll(/[:.]/g, '-')}_${id}.jsonl`);
  }
}

/** A readable and unique folder name for a path. */
const nameOf = (cwd: string): string =>
  `${basename(cwd)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 40)}-${createHash('sha256').update(cwd).digest('hex').slice(0, 16)}`;

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  } catch {
    return []; // There is no session yet.
  }
}

const GLANCE_BYTES = 64 * 1024;
/** Reads the header and the title without reading the whole file. */
function glance(file: string): { header: Header; about: string } {
  const fd = openSync(file, 'r');
  const buffer = Buffer.alloc(GLANCE_BYTES);
  const bytes = readSync(fd, buffer, 0, GLANCE_BYTES, 0);
  closeSync(fd);
  const lines = buffer.toString('utf8', 0, bytes).split('\n');
  const header = JSON.parse(lines[0] ?? '') as Header;
  if (header.type !== 'session' || typeof header.id !== 'string') throw new TypeError('no session header');
  const messages = lines.slice(1).map(saidIn);
  return {
    header,
    about:
      messages.findLast(({ title }) => title !== '')?.title ??
      messages.find(({ prompt }) => prompt !== '')?.prompt ??
      '',
  };
}
function saidIn(line: string): { readonly prompt: string; readonly title: string } {
  try {
    const entry = JSON.parse(line) as Entry;
    const isPrompt = entry.type === 'message' && entry.message.role === 'user';
    return {
      prompt: isPrompt ? textOf(entry.message).slice(0, 120) : '',
      title: entry.type === 'label' && entry.target === null ? entry.label.slice(0, 120) : '',
    };
  } catch {
    return { prompt: '', title: '' };
  }
}
