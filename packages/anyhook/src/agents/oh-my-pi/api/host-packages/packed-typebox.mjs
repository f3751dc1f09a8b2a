/** The entry points of typebox. The build bundles its code here, because installed it has two thousand files. */
export { Type } from 'typebox';
export * as root from 'typebox';
export * as compile from 'typebox/compile';
export * as error from 'typebox/error';
export * as format from 'typebox/format';
export * as guard from 'typebox/guard';
export * as schema from 'typebox/schema';
export * as system from 'typebox/system';
export * as type from 'typebox/type';
export * as value from 'typebox/value';
