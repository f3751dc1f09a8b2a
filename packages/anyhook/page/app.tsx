/** The frame: title, counting progress, and the page that the address names. */

import type { ComponentChildren, RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { CountedPart, QuestionsPart, ViewState } from '../src/view/wire.ts';
import { ApprovalsPage } from './approvals-page.tsx';
import { HooksPage } from './hooks-page.tsx';
import { KeysDialog } from './keys.tsx';
import { SessionPage } from './session-page.tsx';
import { SessionsPage } from './sessions-page.tsx';
import type { Connection, Heard, Source } from './source.ts';
import { bytes, count, moment } from './words.ts';

/** `/`, `/approvals`, `/hooks`, `/hooks/<id>`, `/session/<key>`, `/session/<key>/<place>`. */
export type Route = readonly string[];

const routeNow = (): Route =>
  location.hash
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });

export function App({ source }: { readonly source: Source }) {
  const main = useRef<HTMLElement>(null);
  const route = useRoute(main);
  const [connection, setConnection] = useState<Connection>('live');
  const [counted, setCounted] = useState<CountedPart>();
  const [trouble, setTrouble] = useState<string>();
  const [asked, setAsked] = useState<QuestionsPart>();
  const report = useCallback((message: Heard) => {
    if (message.kind === 'connection') setConnection(message.state);
    if (message.kind === 'questions') setAsked(message.part);
    if (message.kind !== 'state') return;
    setCounted(message.counted);
    setTrouble(message.trouble);
  }, []);
  const reportState = useCallback((state: ViewState) => {
    setCounted(state.counted);
    setTrouble(state.trouble);
  }, []);
  const [page = '', key = '', at] = route;
  const open = asked?.questions.length ?? 0;
  useEffect(() => void (document.title = open === 0 ? 'anyhook view' : `(${open}) anyhook view`), [open]);
  if (connection === 'no token') return <NoToken />;
  const shared = { source, report, reportState };
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        To the content
      </a>
      <header class="top">
        <a class="brand" href="#/">
          anyhook <span>view</span>
        </a>
        <Tabs page={page} open={open} />
        <Status connection={connection} counted={counted} exported={source.exported?.madeAt} />
        <KeysDialog />
      </header>
      <Banners trouble={trouble} connection={connection} exported={source.exported} />
      <main id="main" ref={main} tabIndex={-1}>
        {page === 'approvals' ? (
          <ApprovalsPage {...shared} part={asked} />
        ) : page === 'hooks' ? (
          <HooksPage {...shared} chosen={key} />
        ) : page === 'session' ? (
          <SessionPage key={key} {...shared} session={key} at={at} />
        ) : (
          <SessionsPage {...shared} />
        )}
      </main>
    </>
  );
}

interface TabsProps {
  readonly page: string;
  /** Number of open questions. */
  readonly open: number;
}
const Tabs = ({ page, open }: TabsProps) => (
  <nav aria-label="Pages">
    <Tab to="#/" isHere={page === '' || page === 'session'}>
      Sessions
    </Tab>
    <Tab to="#/hooks" isHere={page === 'hooks'}>
      Hooks
    </Tab>
    <Tab to="#/approvals" isHere={page === 'approvals'}>
      Approvals
      {open > 0 && (
        <span class="badge" aria-label={`${open} open`}>
          {open}
        </span>
      )}
    </Tab>
  </nav>
);

/** The page in the address. A new page starts at the top and has the focus. */
function useRoute(main: RefObject<HTMLElement | null>): Route {
  const [route, setRoute] = useState(routeNow);
  useEffect(() => {
    const turn = () => {
      setRoute(routeNow());
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    };
    addEventListener('hashchange', turn);
    return () => removeEventListener('hashchange', turn);
  }, []);
  return route;
}

interface BannerProps {
  readonly trouble: string | undefined;
  readonly connection: Connection;
  readonly exported: Source['exported'];
}
const Banners = ({ trouble, connection, exported }: BannerProps) => (
  <>
    {trouble !== undefined && (
      <p class="banner" role="status">
        {trouble}
      </p>
    )}
    {connection === 'lost' && (
      <p class="banner bad" role="status">
        The view has ended, or cannot be reached. What you see was read before; start it again with{' '}
        <code>anyhook view</code>.
      </p>
    )}
    {exported !== undefined && (
      <p class="banner" role="note">
        {exported.title}, exported {moment(exported.madeAt)}. Secrets that could be recognised are taken out.
        {exported.leftOut > 0 && ` ${count(exported.leftOut)} older records were left out.`}
      </p>
    )}
  </>
);

interface TabProps {
  readonly to: string;
  readonly isHere: boolean;
  readonly children: ComponentChildren;
}
const Tab = ({ to, isHere, children }: TabProps) => (
  <a href={to} aria-current={isHere ? 'page' : undefined}>
    {children}
  </a>
);

interface StatusProps {
  readonly connection: Connection;
  readonly counted: CountedPart | undefined;
  readonly exported: string | undefined;
}
/** How far the journal is counted: numbers are incomplete while old files are read. */
function Status({ connection, counted, exported }: StatusProps) {
  if (exported !== undefined) return <p class="status">offline copy</p>;
  const { isWhole = true, bytes: done = 0, ofBytes = 0, upTo, records = 0, damaged = 0 } = counted ?? {};
  const part = ofBytes === 0 ? 1 : done / ofBytes;
  return (
    <p class="status">
      {damaged > 0 && <span class="tag deny">{count(damaged)} damaged</span>}
      {isWhole ? (
        <span>
          {count(records)} records{upTo !== undefined && `, counted up to ${moment(upTo)}`}
        </span>
      ) : (
        <span>
          <progress value={part} aria-label="Counted so far" /> {Math.floor(part * 100)} % of {bytes(ofBytes)}{' '}
          counted, newest first
        </span>
      )}
      <span class={`dot ${connection === 'live' ? 'on' : 'off'}`} />
      <span>{connection === 'live' ? 'live' : 'not connected'}</span>
    </p>
  );
}

/** For a browser that did not use the printed address. */
export const NoToken = () => (
  <main class="alone">
    <h1>This page needs its key</h1>
    <p>
      Open the address that <code>anyhook view</code> printed, whole: the part after <code>#</code> is the
      key, and it is for this run of the view only.
    </p>
  </main>
);
