import { join } from 'node:path';
import { expect, test } from 'vitest';
import { participles, sharedNames } from './names.ts';
import { type Tree, treeOf } from './rooms.ts';

const trees = ['anyhook', 'agent', 'fleet'].map((name) =>
  treeOf(join(import.meta.dirname, `../packages/${name}/src`)),
);
const planted = (files: Readonly<Record<string, string>>): Tree => new Map(Object.entries(files));

test('each exported name has one meaning', () => {
  expect(trees.map(sharedNames)).toEqual([{}, {}, {}]);
});

test('a name with two meanings is found, and names of the dialect contract are allowed', () => {
  const two = { 'engine/x.ts': 'export interface Seat {}\n', 'events/y.ts': 'export type Seat = string;\n' };
  expect(sharedNames(planted(two))).toEqual({ Seat: 2 });
  const parts = {
    'agents/opta/dialect/can.ts': 'export const can = {};\n',
    'agents/goose/dialect/can.ts': 'export const can = {};\n',
  };
  expect(sharedNames(planted(parts))).toEqual({});
  expect(sharedNames(planted({ ...parts, 'engine/x.ts': 'export function can() {}\n' }))).toEqual({ can: 2 });
});

test('no type is named by a bare participle', () => {
  expect(trees.map(participles)).toEqual([[], [], []]);
});

test('a planted participle is found, and longer names and functions are allowed', () => {
  const text = [
    'export interface Asked {}',
    'export type Told = string;',
    'export class AskedHook {}',
    'export const asked = 1;',
    'export function Settled() {}',
  ].join('\n');
  expect(participles(planted({ 'engine/x.ts': text }))).toEqual(['Asked', 'Told']);
});
