/** @type {(url: string) => Promise<object>} */
exports.nativeImport = (url) => import(url);
