/** Keyboard shortcuts. */

import { useEffect, useRef } from 'preact/hooks';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['j, k', 'the next, the previous event of a session'],
  ['n, p', 'the next, the previous refusal'],
  ['Enter', 'open and close what is in focus'],
  ['/', 'search in this session'],
  ['s, h, a', 'sessions, hooks, approvals'],
  ['?', 'this list'],
];

/** Shortcuts are disabled while the user types. */
export const isTyping = (event: KeyboardEvent): boolean =>
  event.ctrlKey ||
  event.metaKey ||
  event.altKey ||
  (event.target instanceof HTMLElement && event.target.matches('input, textarea, select, dialog *'));

export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const action = isTyping(event) ? undefined : latest.current[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys({
    '?': () => dialog.current?.showModal(),
    s: () => void (location.hash = '#/'),
    h: () => void (location.hash = '#/hooks'),
    a: () => void (location.hash = '#/approvals'),
  });
  return (
    <>
      <button class="round" aria-label="Keys" title="Keys (?)" onClick={() => dialog.current?.showModal()}>
        ?
      </button>
      <dialog ref={dialog} aria-label="Keys">
        <h2>Keys</h2>
        <dl class="keys">
          {KEYS.map(([keys, what]) => (
            <>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
        <button class="plain" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  );
}
