/** Of a patch, what comes before its first hunk: whoever shows it has named the file. */
export const BEFORE_HUNKS = /^(?:(?!@@ ).*\n)*/;
