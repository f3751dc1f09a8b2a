declare module 'pbf/compile' {
  import type { PbfReader } from 'pbf';
  export function compile(definitions: object): Record<string, (pbf: PbfReader) => unknown>;
}
declare module 'protocol-buffers-schema' {
  export interface Schema {
    readonly imports?: readonly string[];
    readonly messages: readonly object[];
    readonly enums: readonly object[];
  }
  export default function parse(text: string): Schema;
}
