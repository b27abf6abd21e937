import { readDescription } from '@portcullis/openapi';
import { describe, expect, it } from 'vitest';
import { PathIndex } from './path-index.ts';

function indexOf(...paths: readonly string[]) {
  const reading = readDescription({
    openapi: '3.1.0',
    info: { title: 'a', version: '1' },
    paths: Object.fromEntries(paths.map((path) => [path, { get: {} }])),
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return new PathIndex(reading.description.operations, ({ path }) => path);
}

const api = indexOf(
  ...[
    '/',
    '/pets',
    '/pets/',
    '/pets/mine',
    '/pets/{id}',
    '/pets/{id}/toys',
    '/{kind}/mine/toys',
    '/files/{name}.{ext}',
  ],
  ...['/a-{x}-b-{y}', '/über/{x}', '/rest/{all+}', '/rest/one', '/{a}/{b}/{c}/{d}'],
);

describe('the template of a path', () => {
  it.each<[string, string | undefined, Record<string, string>?]>([
    ['/', '/'],
    ['/pets', '/pets'],
    ['/pets/', '/pets/'],
    ['/pets/mine', '/pets/mine'],
    ['/pets/7', '/pets/{id}', { id: '7' }],
    ['/pets/%2F', '/pets/{id}', { id: '%2F' }],
    ['/pets/7/toys', '/pets/{id}/toys', { id: '7' }],
    // The literal segment leads nowhere else, so the next best is taken.
    ['/pets/mine/toys', '/pets/{id}/toys', { id: 'mine' }],
    ['/dogs/mine/toys', '/{kind}/mine/toys', { kind: 'dogs' }],
    ['/files/a.b.txt', '/files/{name}.{ext}', { name: 'a', ext: 'b.txt' }],
    ['/files/.txt', undefined],
    ['/files/txt', undefined],
    ['/a-1-b-2', '/a-{x}-b-{y}', { x: '1', y: '2' }],
    ['/a-1-b', undefined],
    ['/%C3%BCber/1', '/über/{x}', { x: '1' }],
    ['/rest/one', '/rest/one'],
    ['/rest/a/b%2Fc', '/rest/{all+}', { all: 'a/b%2Fc' }],
    ['/PETS', undefined],
    ['/pets//toys', undefined],
    ['/1/2/3/4', '/{a}/{b}/{c}/{d}', { a: '1', b: '2', c: '3', d: '4' }],
    ['/%', undefined],
    ['/__proto__', undefined],
  ])('%s', (path, template, parameters = {}) => {
    const match = api.find(path);
    expect(match && [match.entry.methods.get('GET'), Object.fromEntries(match.parameters)]).toEqual(
      template && [template, parameters],
    );
  });

  it('is the first of those that differ in names alone', () => {
    expect(indexOf('/a/{x}', '/a/{y}').find('/a/1')?.entry.path).toBe('/a/{x}');
  });

  it('is looked for without going anywhere twice', () => {
    const templates = Array.from({ length: 12 }, (_, index) => `/{a${index}}`).join('');
    const many = indexOf(...Array.from({ length: 200 }, (_, index) => `${templates}/end${index}`));
    expect([
      many.find(`${'/x'.repeat(12)}/end199`)?.entry.path.endsWith('/end199'),
      many.find('/x'.repeat(13)),
    ]).toEqual([true, undefined]);
  });
});
