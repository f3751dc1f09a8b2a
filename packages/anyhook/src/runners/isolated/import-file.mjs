// A file of the host's, in the process of a module. Built, it is JavaScript; run from source, TypeScript.

/** @param {string} url @returns {Promise<unknown>} */
export async function importFile(url) {
  if (!url.endsWith('.ts')) return await import(url);
  const { createJiti } = await import('jiti');
  return await createJiti(import.meta.url).import(url);
}
