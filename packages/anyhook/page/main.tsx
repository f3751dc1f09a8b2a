import { render } from 'preact';
import type { ExportedView } from '../src/view/wire.ts';
import { App, NoToken } from './app.tsx';
import { exportedSource, serverSource, tokenFromAddress } from './source.ts';

const root = document.getElementById('root')!;
root.textContent = '';
const exported = document.getElementById('exported');
if (exported !== null) {
  const view = JSON.parse(exported.textContent ?? '') as ExportedView;
  if (location.hash === '' && view.parts.length === 1)
    history.replaceState(null, '', `#/session/${encodeURIComponent(view.parts[0]!.session.key)}`);
  render(<App source={exportedSource(view)} />, root);
} else {
  const token = tokenFromAddress();
  render(token === undefined ? <NoToken /> : <App source={serverSource(token)} />, root);
}
