/** A `fetch` that answers the SDK's requests with the host's services. It never rejects and never uses the network. */

import { thrownText } from '../../../../events/thrown.ts';
import { AROUND } from './around.ts';
import { FILES } from './files.ts';
import { type ClientRequest, ErrorAnswer, type ClientRoute, type Routes } from './route.ts';
import { SESSIONS } from './sessions.ts';
import type { ClientTerms } from './terms.ts';

const ROUTES: Routes = { ...SESSIONS, ...FILES, ...AROUND };

export function answerFrom(terms: ClientTerms): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const { route, asked } = await read(request);
      const value = await route(asked, terms);
      return value === undefined ? new Response(null, { status: 204 }) : Response.json(value);
    } catch (error) {
      if (error instanceof ErrorAnswer) return Response.json(error.body, { status: error.status });
      const message = thrownText(error);
      return Response.json({ name: 'UnknownError', data: { message } }, { status: 500 });
    }
  };
}

async function read(request: Request): Promise<{ route: ClientRoute; asked: ClientRequest }> {
  const { pathname, searchParams } = new URL(request.url);
  const { route, path } = find(request.method, pathname);
  return { route, asked: { path, query: searchParams, body: await bodyOf(request), signal: request.signal } };
}

/** A route without parameters wins over one with parameters. */
function find(method: string, pathname: string): { route: ClientRoute; path: Record<string, string> } {
  const exact = ROUTES[`${method} ${pathname}`];
  if (exact !== undefined) return { route: exact, path: {} };
  for (const { method: taken, pattern, route } of PATTERNS) {
    const found = taken === method ? pattern.exec(pathname) : null;
    if (found === null) continue;
    const path = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]);
    return { route, path: Object.fromEntries(path) as Record<string, string> };
  }
  throw new ErrorAnswer(501, 'NotOffered', `this host does not support ${method} ${pathname}`, {
    service: pathname,
    remedy: 'Only OpenCode itself can do this. Make the plugin work without it.',
  });
}

const PATTERNS = Object.entries(ROUTES)
  .filter(([name]) => name.includes('{'))
  .map(([name, route]) => {
    const [method, path] = name.split(' ') as [string, string];
    return { method, pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`), route };
  });

async function bodyOf(request: Request): Promise<ClientRequest['body']> {
  const text = await request.text();
  if (text === '') return {};
  try {
    const body = JSON.parse(text) as unknown;
    if (typeof body === 'object' && body !== null) return body as ClientRequest['body'];
  } catch {
    // handled below
  }
  throw new ErrorAnswer(400, 'BadRequest', 'the body must be a JSON object');
}
