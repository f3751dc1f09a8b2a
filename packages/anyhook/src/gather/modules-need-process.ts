/** Thrown instead of importing modules into a process that serves several sessions. */
export class ModulesNeedProcess extends Error {
  override readonly name = 'ModulesNeedProcess';
  constructor() {
    super('these hooks contain modules, which need a process of their own');
  }
}
