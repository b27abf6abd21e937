import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startPetstoreServer } from '../../checks/petstore-server.test-support.ts';
import { describedModel } from '../../checks/described-models.test-support.ts';
import { hostileModels, hostileText } from '../testing/hostile-model.test-support.ts';
import { hasProgram, outputOf, writeFiles } from '../testing/target-files.test-support.ts';
import { wideModel } from '../testing/wide-model.test-support.ts';
import { wideOutcomes } from '../testing/wide-outcomes.test-support.ts';
import { startWideServer } from '../testing/wide-server.test-support.ts';
import { goTarget } from './index.ts';
import { packageOf } from './package-files.ts';

const hasGo = hasProgram('go', 'version') && hasProgram('gofmt', '-h');
/** No module is fetched, and no other version of Go. */
const offline = { GOPROXY: 'off', GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' };
const options = { packageName: 'example.com/wide', packageVersion: '1.2.0', generatorVersion: '0.1.0' };
const wide = goTarget.generate(wideModel, options);
const odd = goTarget.generate(describedModel('odd-cases'), { ...options, packageName: 'example.com/wide/odd' });

describe('the Go target', () => {
  it.skipIf(!hasGo)(
    'makes a client that calls, reads and refuses as described, and vets (needs go)',
    async () => {
      await using folder = await temporaryFolder();
      await using server = await startWideServer();
      writeFiles(folder.path, wide);
      writeFiles(
        folder.join('odd'),
        odd.filter(({ path }) => path.endsWith('.go')),
      );
      // Its example runs as it is written, but for the credential.
      await using petstore = await startPetstoreServer();
      const pets = goTarget.generate(describedModel('petstore', petstore.url), {
        ...options,
        packageName: 'example.com/wide/pets',
      });
      writeFiles(
        folder.join('pets'),
        pets.filter(({ path }) => path.endsWith('.go')),
      );
      for (const program of ['drive', 'example']) mkdirSync(folder.join(program));
      cpSync(testdata('drive.go'), folder.join('drive', 'main.go'));
      const example = /```go\n([^`]*)```/.exec(pets.find(({ path }) => path === 'README.md')?.text ?? '')?.[1] ?? '';
      writeFileSync(folder.join('example', 'main.go'), example.replace('"..."', '"secret-token"'));
      expect(await outputOf(folder.path, 'gofmt', ['-l', '.'])).toBe('');
      expect(await outputOf(folder.path, 'go', ['vet', './...'], offline)).toBe('');
      expect(await outputOf(folder.path, 'go', ['run', './example'], offline)).toContain('Rex "the" Ünique');
      expect(petstore.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['GET /pets']);
      const output = await outputOf(folder.path, 'go', ['run', './drive', server.url], offline);
      expect(output).toMatch(/^\{.*\}\n$/);
      expect(JSON.parse(output)).toEqual({
        ...wideOutcomes,
        // The decoder of Go names its own types.
        broken: 'the answer to GET /broken at [1].children[0].id: expected int64, found another string',
      });
      // A first run compiles what the standard library's packages need, which takes a minute where others work, too.
    },
    180_000,
  );

  it.skipIf(!hasGo)('keeps every text of a description inside of literals and comments (needs go)', () => {
    const models = [wideModel, ...hostileModels(wideModel, 25)];
    const libraries = models.map((model) => goTarget.generate(model, options));
    const { stdout, stderr } = spawnSync('go', ['run', testdata('same_code.go')], {
      input: JSON.stringify(libraries),
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual(['26 libraries\n', '']);
    for (const files of libraries) {
      expect(files.map((file) => file.text).join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029\0\r\ufeff]/);
    }
  });

  it('takes paths of modules, and suggests one', () => {
    const { pattern, suggest } = goTarget.packageName;
    expect(
      ['example.com/a', 'go.acme.io/petstore/v2', 'github.com/a-b/c.d_e'].filter((name) => !pattern.test(name)),
    ).toEqual([]);
    expect(
      [
        '',
        'acme',
        'fmt',
        'net/http',
        'a.b',
        '/a.com/b',
        'a.com/',
        'a.com//b',
        'a.com/../b',
        'a.com/B',
        'a.com/b\n',
        'a.com/b c',
        'a.com/internal',
        'a.com/vendor/b',
        'a.com/b/v1',
        'a.com/b/v02',
      ].filter((name) => pattern.test(name)),
    ).toEqual([]);
    expect(suggest({ ...wideModel, title: 'Swagger Petstore' })).toBe('example.com/swagger-petstore');
    expect(suggest({ ...wideModel, title: 'Internal' })).toBe('example.com/internal-api');
    fc.assert(fc.property(hostileText, (title) => pattern.test(suggest({ ...wideModel, title }))));
    expect(['example.com/pet-store', 'example.com/acme/v2', 'example.com/3d', 'example.com/go'].map(packageOf)).toEqual(
      ['petstore', 'acme', 'd', 'goapi'],
    );
  });

  it.skipIf(!hasGo)('is found by a program as its README says, also as a later version (needs go)', async () => {
    for (const packageName of ['example.com/acme/wide', 'example.com/acme/wide/v2', 'gopkg.in/acme/wide.v3']) {
      await using folder = await temporaryFolder();
      const files = goTarget.generate(wideModel, { ...options, packageName });
      const install = /```sh\n(.*)\n```/.exec(files.find(({ path }) => path === 'README.md')?.text ?? '')?.[1] ?? '';
      writeFiles(folder.join('here'), files);
      writeFileSync(folder.join('go.mod'), 'module example.com/program\n\ngo 1.19\n');
      const [command = '', ...args] = install.replace('FOLDER', 'here').split(' ');
      expect(await outputOf(folder.path, command, args, offline)).toBe('');
      expect(await outputOf(folder.path, 'go', ['list', '-m', packageName], offline)).toContain(packageName);
    }
  });

  it.skipIf(!hasGo)('shows an example that compiles, whatever the package is called (needs go)', async () => {
    await using folder = await temporaryFolder();
    writeFileSync(folder.join('go.mod'), 'module example.com\n\ngo 1.19\n');
    for (const title of ['Client', 'Context', 'Err', 'Errors', 'Fmt', 'HTTP', 'Result', 'String', 'Strings', 'Time']) {
      const packageName = goTarget.packageName.suggest({ ...wideModel, title });
      const files = goTarget.generate(wideModel, { ...options, packageName });
      const own = packageName.replace('example.com/', '');
      writeFiles(
        folder.join(own),
        files.filter(({ path }) => path.endsWith('.go')),
      );
      const example = /```go\n([^`]*)```/.exec(files.find(({ path }) => path === 'README.md')?.text ?? '')?.[1] ?? '';
      writeFiles(folder.join(`${own}-example`), [{ path: 'main.go', text: example }]);
    }
    expect(await outputOf(folder.path, 'go', ['build', '-o', '/dev/null', './...'], offline)).toBe('');
  });

  it('gives the same files for the same model', () => {
    expect(goTarget.generate(structuredClone(wideModel), options)).toEqual(wide);
  });
});

function testdata(name: string): string {
  return fileURLToPath(new URL(`testdata/${name}`, import.meta.url));
}
