declare module 'write-file-atomic' {
  interface Options {
    readonly mode?: number;
  }
  const writeFileAtomic: { sync(file: string, data: Uint8Array | string, options?: Options): void };
  export default writeFileAtomic;
}
