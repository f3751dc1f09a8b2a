/** The view in the browser, for the command line and for hosts that want to offer it. */
export { openBrowser, type OpenedBrowser } from './open-browser.ts';
export { openView, type View, type ViewOptions } from './open-view.ts';
