/** The browser view, for the command line and for hosts that offer it. */
export { openBrowser, type OpenedBrowser } from './open-browser.ts';
export { openView, type View, type ViewOptions } from './open-view.ts';
