/** A process that serves several sessions must not import the modules of one of them. */
export class ModulesNeedProcess extends Error {
  override readonly name = 'ModulesNeedProcess';
  constructor() {
    super('these hooks contain modules, which need a process of their own');
  }
}
