import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { temporaryFolder } from '@portcullis/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildingOf, describedModel } from '../../checks/described-models.test-support.ts';
import { startPetstoreServer, type PetstoreServer } from '../../checks/petstore-server.test-support.ts';
import { hostileModels, hostileText, withTexts } from '../testing/hostile-model.test-support.ts';
import { outputOf, writeFiles } from '../testing/target-files.test-support.ts';
import { wideModel } from '../testing/wide-model.test-support.ts';
import { wideOutcomes } from '../testing/wide-outcomes.test-support.ts';
import { startWideServer } from '../testing/wide-server.test-support.ts';
import { typescriptFetch } from './index.ts';

const options = { packageName: 'wide', packageVersion: '1.2.0', generatorVersion: '0.1.0' };
const wide = typescriptFetch.generate(wideModel, options);
const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

/** What a `Date` keeps of the moment, and what `fetch` adds by itself. */
const exact = (text: string): string =>
  text
    .replaceAll('2024-02-29T23:59:59.123456+02:00', '2024-02-29T21:59:59.123Z')
    .replaceAll('.123456Z', '.123Z')
    .replaceAll(/,"(?:accept-language":"\*|sec-fetch-mode":"cors)"/g, '');

/** The same code with plain texts in all places that a description fills. */
const plain = typescriptFetch.generate(withTexts(wideModel, ['plain']), options);
const hostile = hostileModels(wideModel, 30).map((model) => typescriptFetch.generate(model, options));

/** A union of objects whose fields may all be absent: each takes the JSON of the other one. */
function alike(): ReturnType<typeof typescriptFetch.generate> {
  const building = buildingOf(`
servers: [{ url: 'https://api.example.com' }]
paths:
  /alike:
    post:
      operationId: send
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Either' } } } }
      responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/Either' } } } } }
components:
  schemas:
    Either: { anyOf: [{ $ref: '#/components/schemas/Named' }, { $ref: '#/components/schemas/Failed' }, { $ref: '#/components/schemas/Other' }] }
    Named: { type: object, properties: { name: { type: string } } }
    Failed: { type: object, properties: { code: { type: integer }, message: { type: string }, inner: { $ref: '#/components/schemas/Either' } } }
    Other: { type: object, properties: { inner: { $ref: '#/components/schemas/Either' } } }
`);
  if (!building.ok) throw new Error(JSON.stringify(building.problems));
  return typescriptFetch.generate(building.model, options);
}

const alikeDrive = `import { ApiClient, type Either } from './index.ts';
declare const console: { log(...texts: string[]): void };

const show = async (body: Either, answer: string): Promise<void> => {
  let sent = '';
  const client = new ApiClient({
    fetch: async (_, init) => {
      sent = String(init?.body);
      return new Response(answer);
    },
  });
  const got = await client.send({ body });
  console.log(sent, JSON.stringify(got));
};
await show({ code: 1, message: 'x' }, '{"code":2}');
await show({ name: 'n' }, '{"name":"n","later":true}');
await show({}, '{}');
// Who reads it anew for each variant of each level never ends.
await show({}, '{"name":1,"inner":'.repeat(200) + '5' + '}'.repeat(200)).catch((error) => console.log(String(error.name)));
`;

describe('the TypeScript target, compiled', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let petstore: PetstoreServer;
  let output = '';

  /** One run of the compiler, with the settings that the libraries bring, for all of them: starting it costs seconds. */
  beforeAll(async () => {
    folder = await temporaryFolder();
    petstore = await startPetstoreServer();
    const pets = typescriptFetch.generate(describedModel('petstore', petstore.url), options);
    const readme = pets.find((file) => file.path === 'README.md')?.text ?? '';
    const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const used = example.replace('TOKEN', 'secret-token').replace("from 'wide'", "from './index.ts'");
    const drive = readFileSync(new URL('testdata/drive.ts.txt', import.meta.url), 'utf8');
    const libraries = {
      wide: [...wide, { path: 'src/drive.ts', text: drive }],
      petstore: [...pets, { path: 'src/example.ts', text: used }],
      odd: typescriptFetch.generate(describedModel('odd-cases'), options),
      alike: [...alike(), { path: 'src/drive.ts', text: alikeDrive }],
      ...Object.fromEntries(hostile.slice(0, 8).map((files, index) => [`hostile-${index}`, files])),
    };
    for (const [name, files] of Object.entries(libraries)) {
      writeFiles(
        folder.path,
        files.map((file) => ({ ...file, path: file.path.replace(/^src\//, `src/${name}/`) })),
      );
    }
    output = await outputOf(folder.path, process.execPath, [tsc, '-p', '.']);
  }, 120_000);

  afterAll(async () => {
    await petstore[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it('has no mistake under strict rules, whatever the description holds', () => expect(output).toBe(''));

  it('calls, reads and refuses as described', async () => {
    await using server = await startWideServer();
    const printed = await outputOf(folder.path, process.execPath, ['dist/wide/drive.js', server.url]);
    expect(printed).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(exact(printed))).toEqual(JSON.parse(exact(JSON.stringify(wideOutcomes))));
  });

  it('takes of a union what knows most of a value, and loses nothing of it', async () => {
    expect(await outputOf(folder.path, process.execPath, ['dist/alike/drive.js'])).toBe(
      '{"code":1,"message":"x"} {"code":2}\n{"name":"n"} {"name":"n"}\n{} {}\nDecodeError\n',
    );
  });

  it('shows an example that runs as it is written, but for the token', async () => {
    expect(await outputOf(folder.path, process.execPath, ['dist/petstore/example.js'])).toContain('Rex "the" Ünique');
    expect(petstore.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['GET /pets']);
  });
});

describe('the TypeScript target', () => {
  it('keeps every text of a description inside of literals and comments', () => {
    for (const files of hostile) {
      expect(files.map(({ text }) => text).join('')).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\u2028\u2029]/u);
      expect(codeOf(files, 'src/client.ts')).toBe(codeOf(plain, 'src/client.ts'));
      expect(codeOf(files, 'src/models.ts')).toBe(codeOf(plain, 'src/models.ts'));
      expect(files.find((file) => file.path === 'README.md')?.text.split('\n').length).toBeLessThan(120);
    }
  });

  it('takes the names that npm takes, and suggests one', () => {
    const { pattern, suggest } = typescriptFetch.packageName;
    expect(['acme', '@acme/pet-store', 'a.b_c', 'node_modules2'].filter((name) => !pattern.test(name))).toEqual([]);
    const wrong = ['', 'Acme', '@acme', '../x', '@a/../b', 'a b', '.a', 'a\n', 'a'.repeat(215), 'node_modules'];
    expect(wrong.filter((name) => pattern.test(name))).toEqual([]);
    expect(suggest({ ...wideModel, title: 'Swagger Petstore' })).toBe('swagger-petstore-client');
    fc.assert(fc.property(hostileText, (title) => pattern.test(suggest({ ...wideModel, title }))));
  });

  it('gives the same files for the same model', () => {
    expect(typescriptFetch.generate(structuredClone(wideModel), options)).toEqual(wide);
  });
});

/** A file without what texts of a description are in: comments, and literals of any text. */
function codeOf(files: readonly { readonly path: string; readonly text: string }[], path: string): string {
  const text = files.find((file) => file.path === path)?.text ?? '';
  return text
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith("'") ? "''" : ''))
    .replaceAll(/^\s*\n/gm, '');
}
