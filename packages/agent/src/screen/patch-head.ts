/** Matches the lines of a patch before its first hunk. The screen shows the file name elsewhere. */
export const BEFORE_HUNKS = /^(?:(?!@@ ).*\n)*/;
