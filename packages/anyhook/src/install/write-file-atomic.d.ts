declare module 'write-file-atomic' {
  interface Options {
    readonly mode?: number;
  }
  const writeFileAtomic: {
    (file: string, data: Uint8Array | string, options?: Options): Promise<void>;
    sync(file: string, data: Uint8Array | string, options?: Options): void;
  };
  export default writeFileAtomic;
}
