/** The hook menu, for hosts that have dialogs: what it shows, and the whole of it. */
export { openMenu, type MenuOptions } from './open-menu.ts';
export { hookMenu, type MenuRow, type Trust } from './rows.ts';
