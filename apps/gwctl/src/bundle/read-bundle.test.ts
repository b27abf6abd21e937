import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { validateBundle } from '@portcullis/bundle-diff';
import { temporaryFolder } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { findBundleFiles } from './find-bundle-files.ts';
import { localDescriptor } from './local-descriptor.ts';
import { nameBothPlaces } from './name-both-places.ts';
import { givenIds, readBundle } from './read-bundle.ts';

async function folderWith(files: Readonly<Record<string, string>>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(folder.join(name)), { recursive: true });
    writeFileSync(folder.join(name), text);
  }
  return folder;
}

describe('files of a bundle', () => {
  it('are all of a folder and below, ordered by path, but hidden ones and other kinds', async () => {
    await using folder = await folderWith({
      'b.json': '{}',
      'a.yaml': '',
      'team/z.yml': '',
      'team/deep/A.YAML': '',
      'notes.md': '',
      '.git/config.yaml': '',
      '.hidden.yaml': '',
    });
    symlinkSync(folder.path, folder.join('team/loop'));
    symlinkSync(folder.path, folder.join('team/loop.yaml'));
    symlinkSync(folder.join('notes.md'), folder.join('linked.yaml'));
    const names = findBundleFiles([folder.path]).map((file) => path.relative(folder.path, file));
    expect(names).toEqual(['a.yaml', 'b.json', 'linked.yaml', 'team/deep/A.YAML', 'team/z.yml']);
  });

  it('are in the order of the command line, each once', async () => {
    await using folder = await folderWith({ 'b.yaml': '', 'a.yaml': '' });
    const [a, b] = [folder.join('a.yaml'), folder.join('b.yaml')];
    expect(findBundleFiles([b, folder.path, '-', a, '-'])).toEqual([b, a, '-']);
  });

  it.skipIf(process.platform === 'win32')('pipes in a folder are none: nobody may ever write to them', async () => {
    await using folder = await folderWith({ 'a.yaml': '' });
    execFileSync('mkfifo', [folder.join('pipe.yaml')]);
    symlinkSync(folder.join('pipe.yaml'), folder.join('to-a-pipe.yaml'));
    symlinkSync(folder.join('gone'), folder.join('to-nothing.yaml'));
    symlinkSync('round.yaml', folder.join('round.yaml'));
    const names = findBundleFiles([folder.path]).map((file) => path.relative(folder.path, file));
    expect(names).toEqual(['a.yaml', 'round.yaml', 'to-nothing.yaml']);
  });

  it('a folder without any is a mistake', async () => {
    await using folder = await folderWith({ 'sub/readme.txt': '' });
    expect(() => findBundleFiles([folder.path])).toThrow(`${folder.path} holds no .yaml, .yml or .json files`);
  });
});

describe('several files', () => {
  it('are one bundle, and every value is found in its own file', async () => {
    await using folder = await folderWith({
      'a.yaml': 'tenant_id: acme\nroutes:\n  - name: one\nplugins:\n',
      'b.json': '{\n  "routes": [{"name":"two"},\n    {"name":"three", "id":"r3"}]\n}',
      'c.yaml': 'plugins:\n  - name: cors\ntenant_id: acme\n',
    });
    const input = await readBundle([folder.path]);
    expect(input.document).toEqual({
      tenant_id: 'acme',
      routes: [{ name: 'one' }, { name: 'two' }, { name: 'three', id: 'r3' }],
      plugins: [{ name: 'cors' }],
    });
    expect(JSON.parse(input.text)).toEqual(input.document);
    expect([input.contentType, input.label, [...givenIds(input)]]).toEqual(['application/json', '3 files', ['r3']]);
    const places = {
      '/tenant_id': 'a.yaml:1:12',
      '/routes/0/name': 'a.yaml:3:11',
      '/routes/1': 'b.json:2:14',
      '/routes/2/name': 'b.json:3:13',
      '/routes/2/path': 'b.json:3:5',
      '/plugins/0': 'c.yaml:2:5',
    };
    for (const [pointer, place] of Object.entries(places)) expect(input.placeOf(pointer)).toBe(folder.join(place));
    expect(input.placeOf('/services/0')).toBe('3 files');
  });

  it.each([
    ['routes: []\ntenant_id: globex\n', 'b.yaml:2:12: tenant_id is globex, but a.yaml:1:12 has acme'],
    ['routes: {}\n', 'b.yaml:1:9: routes is another object, but a.yaml:2:9 has a list'],
    ['- routes\n', 'b.yaml does not hold a bundle: expected tenant_id and lists of records'],
    ['routes: []\n\t- x\n', 'b.yaml:2:1: tabs must not indent'],
  ])('%j beside another one is a mistake with its place', async (text, message) => {
    await using folder = await folderWith({ 'a.yaml': 'tenant_id: acme\nroutes: []\n', 'b.yaml': text });
    const expected = message.replaceAll(/[ab]\.yaml/g, (name) => folder.join(name));
    await expect(readBundle([folder.path])).rejects.toThrow(expected);
  });

  it('a record that two of them hold is told with both places, however each is written', async () => {
    await using folder = await folderWith({
      'a.yaml': [
        'tenant_id: acme',
        'consumers:',
        '  - { username: ada }',
        'targets:',
        '  - { target: "h:80", gateway_name: g, upstream_name: u }',
        'gateways:',
        '  - { id: g1, name: one }',
      ].join('\n'),
      'b.yaml': [
        'consumers:',
        '  - { name: ada, tenant_id: acme }',
        'targets:',
        '  - { host: h, port: 80, gateway_name: g, upstream_name: other }',
        '  - { host: h, port: 80, gateway_name: g, upstream_name: u }',
        'gateways:',
        '  - { id: g1, name: two }',
      ].join('\n'),
    });
    const input = await readBundle([folder.path]);
    const { errors } = validateBundle(input.document, localDescriptor());
    const told = nameBothPlaces(errors, input).map(({ pointer, message }) => [input.placeOf(pointer), message]);
    const twice = (place: string): string => `is given to another record of the bundle too: ${folder.join(place)}`;
    expect(told.map(([place, message]) => [path.relative(folder.path, place ?? ''), message])).toEqual([
      ['b.yaml:7:11', twice('a.yaml:7:5')],
      ['b.yaml:2:5', twice('a.yaml:3:5')],
      ['b.yaml:5:22', twice('a.yaml:5:5')],
    ]);
  });
});
