/** The hook menu for hosts that have dialogs. */
export { openMenu, type MenuOptions } from './open-menu.ts';
export { hookMenu, type MenuRow, type Trust } from './rows.ts';
