import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SdkFile } from '../../target.ts';
import { startPetstoreServer } from '../../checks/petstore-server.test-support.ts';
import { buildingOf, describedModel } from '../../checks/described-models.test-support.ts';
import { hostileModels, hostileText } from '../testing/hostile-model.test-support.ts';
import { hasProgram, outputOf, writeFiles } from '../testing/target-files.test-support.ts';
import { wideModel } from '../testing/wide-model.test-support.ts';
import { wideOutcomes } from '../testing/wide-outcomes.test-support.ts';
import { startWideServer } from '../testing/wide-server.test-support.ts';
import { pythonTarget } from './index.ts';

const hasPython = hasProgram('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))');
const hasMypy = hasProgram('mypy', '--version');
const options = { packageName: 'wide', packageVersion: '1.2.0', generatorVersion: '0.1.0' };
const wide = pythonTarget.generate(wideModel, options);
const odd = pythonTarget.generate(describedModel('odd-cases'), { ...options, packageName: 'odd' });

describe('the Python target', () => {
  it.skipIf(!hasPython)('makes a client that calls, reads and refuses as described (needs python3 3.9)', async () => {
    await using folder = await temporaryFolder();
    await using server = await startWideServer();
    writeFiles(folder.path, wide);
    cpSync(testdata('drive.py'), folder.join('drive.py'));
    const output = await outputOf(folder.path, 'python3', [
      '-W',
      'error',
      '-W',
      'ignore:remove is',
      'drive.py',
      server.url,
    ]);
    expect(output).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(output)).toEqual(wideOutcomes);
  });

  it.skipIf(!hasPython)(
    'shows an example that runs as it is written, but for the credential (needs python3 3.9)',
    async () => {
      await using folder = await temporaryFolder();
      await using server = await startPetstoreServer();
      const files = pythonTarget.generate(describedModel('petstore', server.url), {
        ...options,
        packageName: 'petstore',
      });
      const example = /```python\n([^`]*)```/.exec(fileOf(files, 'README.md'))?.[1] ?? '';
      writeFiles(folder.path, [...files, { path: 'example.py', text: example.replace('"..."', '"secret-token"') }]);
      expect(await outputOf(folder.path, 'python3', ['example.py'])).toContain('adopted-later');
      expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['GET /pets']);
    },
  );

  it.skipIf(!hasPython)('reads texts whatever the server says of their characters (needs python3 3.9)', async () => {
    await using folder = await temporaryFolder();
    writeFiles(folder.path, wide);
    const script = `from wide import Client, HttpResponse
for charset in ("latin-1", "none-such", "idna", "hex", "undefined"):
    answer = HttpResponse(200, {"content-type": f"text/plain; charset={charset}"}, "ü".encode("utf-8"))
    print(repr(Client("https://api.example.com", transport=lambda request: answer).text()))
`;
    expect(await outputOf(folder.path, 'python3', ['-c', script])).toBe(`'Ã¼'\n${"'ü'\n".repeat(4)}`);
  });

  it.skipIf(!hasPython)('tries each type of a union once, whatever is nested in it (needs python3 3.9)', async () => {
    const building = buildingOf(`
paths: { /n: { get: { responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/U' } } } } } } } }
components:
  schemas:
    U: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] }
    A: { type: object, required: [next], properties: { next: { $ref: '#/components/schemas/U' }, a: { type: string } } }
    B: { type: object, required: [next], properties: { next: { $ref: '#/components/schemas/U' }, b: { type: string } } }
`);
    if (!building.ok) throw new Error(JSON.stringify(building.problems));
    await using folder = await temporaryFolder();
    writeFiles(folder.path, pythonTarget.generate(building.model, { ...options, packageName: 'nested' }));
    const script = `import json
from nested import DecodeError, models
reads = 0
plain = models.A.from_json.__func__
def counted(cls, value):
    global reads
    reads += 1
    return plain(cls, value)
models.A.from_json = classmethod(counted)
try:
    models.A.from_json(json.loads('{"next":' * 5 + "5" + "}" * 5))
except DecodeError:
    print(reads)
`;
    // Once for itself and for each of the four objects below, and for what is innermost, which is none, by both types around it.
    expect(await outputOf(folder.path, 'python3', ['-c', script])).toBe('7\n');
  });

  it.skipIf(!hasMypy)(
    'passes mypy --strict (needs mypy)',
    async () => {
      await using folder = await temporaryFolder();
      writeFiles(folder.path, [...wide, ...odd]);
      const cache = ['--cache-dir', folder.join('cache')];
      expect(await outputOf(folder.path, 'mypy', ['--strict', ...cache, 'wide', 'odd'])).toMatch(/^Success: no issues/);
      // Without a cache, which is some seconds of work alone and a minute where others work, too.
    },
    180_000,
  );

  it.skipIf(!hasPython)(
    'keeps every text of a description inside of literals and comments (needs python3 3.9)',
    async () => {
      const models = [wideModel, ...hostileModels(wideModel, 25)];
      const libraries = models.map((model) => pythonTarget.generate(model, options));
      const { stdout, stderr } = spawnSync('python3', [testdata('same_code.py')], {
        input: JSON.stringify(libraries),
        encoding: 'utf8',
      });
      expect([stdout, stderr]).toEqual(['26 libraries\n', '']);
      // What only a person would take for something else: lines of a Markdown table, characters that turn the direction.
      for (const files of libraries) {
        const text = files.map((file) => file.text).join('');
        expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029\0\r\ufeff]/);
        expect(fileOf(files, 'README.md').split('\n').length).toBeLessThan(100);
      }
    },
  );

  it('takes names of packages that pip and import take, and suggests one', () => {
    const { pattern, suggest } = pythonTarget.packageName;
    const titled = (title: string): string => suggest({ ...wideModel, title });
    expect(['acme', 'acme-petstore', 'a1_b'].filter((name) => !pattern.test(name))).toEqual([]);
    expect(
      ['', 'Acme', '1a', 'a--b', '-a', 'a-', 'a.b', 'a/b', 'class', 'json', 'a\n', 'a'.repeat(61)].filter((name) =>
        pattern.test(name),
      ),
    ).toEqual([]);
    expect([titled('Swagger Petstore'), titled('3D!'), titled('Client')]).toEqual([
      'swagger-petstore-client',
      'api-3-d-client',
      'client-client',
    ]);
    fc.assert(fc.property(hostileText, (title) => pattern.test(titled(title))));
    expect(pattern.test(titled('x'.repeat(39) + ' y'.repeat(40)))).toBe(true);
  });

  it('gives the same files for the same model', () => {
    expect(pythonTarget.generate(structuredClone(wideModel), options)).toEqual(wide);
  });
});

function testdata(name: string): string {
  return fileURLToPath(new URL(`testdata/${name}`, import.meta.url));
}

function fileOf(files: readonly SdkFile[], path: string): string {
  return files.find((file) => file.path === path)?.text ?? '';
}
