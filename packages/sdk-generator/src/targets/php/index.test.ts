import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startPetstoreServer } from '../../checks/petstore-server.test-support.ts';
import { buildingOf, describedModel } from '../../checks/described-models.test-support.ts';
import type { SdkFile } from '../../target.ts';
import { hostileModels, hostileText } from '../testing/hostile-model.test-support.ts';
import { hasProgram, outputOf, writeFiles } from '../testing/target-files.test-support.ts';
import { wideModel } from '../testing/wide-model.test-support.ts';
import { wideOutcomes } from '../testing/wide-outcomes.test-support.ts';
import { startWideServer } from '../testing/wide-server.test-support.ts';
import { phpTarget } from './index.ts';
import { namespaceOf } from './names.ts';

const hasPhp = hasProgram('php', '-r', 'exit(PHP_VERSION_ID < 80100 ? 1 : 0);');
const hasCurl = hasProgram('php', '-r', "exit(extension_loaded('curl') ? 0 : 1);");
const options = { packageName: 'acme/wide', packageVersion: '1.2.0', generatorVersion: '0.1.0' };
const wide = phpTarget.generate(wideModel, options);
const odd = phpTarget.generate(describedModel('odd-cases'), { ...options, packageName: 'acme/odd' });

describe('the PHP target', () => {
  it.skipIf(!hasPhp || !hasCurl)(
    'makes a client that calls, reads and refuses as described (needs php 8.1 with curl)',
    async () => {
      await using folder = await temporaryFolder();
      await using server = await startWideServer();
      writeFiles(folder.path, wide);
      cpSync(testdata('drive.php'), folder.join('drive.php'));
      const output = await outputOf(folder.path, 'php', ['-d', 'display_errors=stderr', 'drive.php', server.url]);
      expect(output).toMatch(/^\{.*\}\n$/);
      expect(JSON.parse(output)).toEqual(wideOutcomes);
    },
  );

  it.skipIf(!hasPhp || !hasCurl)(
    'shows an example that runs as it is written, but for the credential (needs php 8.1 with curl)',
    async () => {
      await using folder = await temporaryFolder();
      await using server = await startPetstoreServer();
      const files = phpTarget.generate(describedModel('petstore', server.url), {
        ...options,
        packageName: 'acme/petstore',
      });
      const readme = files.find(({ path }) => path === 'README.md')?.text ?? '';
      const example = /```php\n([^`]*)```/.exec(readme)?.[1] ?? '';
      // What Composer would write.
      const loader = `<?php spl_autoload_register(fn ($class) => require 'src/' . strtr(substr($class, 14), '\\\\', '/') . '.php');\n`;
      writeFiles(folder.path, [
        ...files,
        { path: 'vendor/autoload.php', text: loader },
        { path: 'example.php', text: example.replace("'...'", "'secret-token'") },
      ]);
      expect(await outputOf(folder.path, 'php', ['example.php'])).toContain('adopted-later');
      expect(server.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['GET /pets']);
    },
  );

  it.skipIf(!hasPhp)('bounds time and memory of unions, objects or lists (needs php 8.1)', async () => {
    await using folder = await temporaryFolder();
    writeFiles(folder.path, wide);
    const script = `spl_autoload_register(fn ($class) => require 'src/' . strtr(substr($class, 10), '\\\\', '/') . '.php');
      use Acme\\Wide\\Runtime\\Codec;
      function lists() { return Codec::oneOf('lists', null, fn () => [[Codec::listOf(lists()), []], [Codec::listOf(Codec::listOf(lists())), []]]); }
      $lists = json_decode(str_repeat('[', 200) . '5' . str_repeat(']', 200));
      $objects = json_decode(str_repeat('{"name":1,"inner":', 500) . '5' . str_repeat('}', 500));
      foreach ([[lists(), $lists], [Acme\\Wide\\Model\\Deep::codec(), $objects]] as [$codec, $value]) {
        try { $codec->decode($value); } catch (Acme\\Wide\\Exception\\DecodeException $exception) { echo $exception->getMessage(), ';'; }
      }`;
    const limited = ['-n', '-d', 'display_errors=1', '-d', 'memory_limit=64M', '-r', script];
    expect(await outputOf(folder.path, 'php', limited)).toBe(
      'the value: expected one of several types, found a list;the value: expected one of several types, found an object;',
    );
  });

  it.skipIf(!hasPhp)('compiles, the example too (needs php 8.1)', async () => {
    await using folder = await temporaryFolder();
    writeFiles(folder.path, wide);
    mkdirSync(folder.join('example'));
    const readme = wide.find(({ path }) => path === 'README.md')?.text ?? '';
    writeFileSync(folder.join('example', 'example.php'), /```php\n([^`]*)```/.exec(readme)?.[1] ?? '');
    // Each start of PHP costs: one process compiles all classes, which is what `php -l` does, and finds each where PSR-4 looks.
    writeFiles(folder.join('odd'), odd);
    const classesOf = (files: readonly SdkFile[], namespace: string): readonly string[] =>
      files.flatMap(({ path }) => {
        const name = /^src\/(.*)\.php$/.exec(path)?.[1];
        return name === undefined ? [] : [`Acme\\${namespace}\\${name.replaceAll('/', '\\')}`];
      });
    const load = `spl_autoload_register(function ($class) {
        [, $library, $name] = explode('\\\\', $class, 3);
        require ($library === 'Odd' ? 'odd/src/' : 'src/') . strtr($name, '\\\\', '/') . '.php';
      });
      foreach (array_slice($argv, 1) as $class) {
        if (!class_exists($class) && !interface_exists($class)) echo "$class is not there";
      }`;
    const classes = [...classesOf(wide, 'Wide'), ...classesOf(odd, 'Odd')];
    expect(await outputOf(folder.path, 'php', ['-n', '-d', 'display_errors=1', '-r', load, '--', ...classes])).toBe('');
    expect(classes.length).toBeGreaterThan(100);
    const lint = await outputOf(folder.path, 'php', ['-n', '-l', 'example/example.php']);
    expect(lint).toBe('No syntax errors detected in example/example.php\n');
  });

  it.skipIf(!hasPhp)('keeps every text of a description inside of literals and comments (needs php 8.1)', () => {
    const libraries = [wideModel, ...hostileModels(wideModel, 25)].map((model) => phpTarget.generate(model, options));
    const { stdout, stderr } = spawnSync(
      'php',
      ['-d', 'display_errors=stderr', '-d', 'memory_limit=512M', testdata('same_code.php')],
      {
        input: JSON.stringify(libraries),
        encoding: 'utf8',
      },
    );
    expect([stdout, stderr]).toEqual(['26 libraries\n', '']);
    for (const files of libraries) {
      expect(files.map((file) => file.text).join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029\0\r\ufeff]/);
    }
  });

  it('takes names of packages that Composer takes, and suggests one', () => {
    const { pattern, suggest } = phpTarget.packageName;
    expect(['acme/petstore', 'a1/b-c.d_e'].filter((name) => !pattern.test(name))).toEqual([]);
    expect(
      [
        '',
        'acme',
        'Acme/a',
        'a/b/c',
        '/a',
        'a/',
        'a/../b',
        'a/b\n',
        'a b/c',
        '3/a',
        'a/3',
        `a/${'b'.repeat(99)}`,
      ].filter((name) => pattern.test(name)),
    ).toEqual([]);
    expect(suggest({ ...wideModel, title: 'Swagger Petstore' })).toBe('swagger-petstore/client');
    fc.assert(fc.property(hostileText, (title) => pattern.test(suggest({ ...wideModel, title }))));
    expect(['acme/pet-store', 'list/class', 'a.b/c_d'].map(namespaceOf)).toEqual([
      'Acme\\PetStore',
      'ListApi\\ClassApi',
      'AB\\CD',
    ]);
  });

  it('does not repeat a union of many types wherever it is used: a small description would give a library of gigabytes', () => {
    const variants = Array.from({ length: 40 }, (_, index) => `V${index}`);
    const union = (members: readonly string[]): string =>
      `{ oneOf: [${members.map((name) => `{ $ref: '#/components/schemas/${name}' }`).join(', ')}] }`;
    const building = buildingOf(`
paths: { /a: { get: { responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/All' } } } } } } } }
components:
  schemas:
    All: { type: object, required: [one, many], properties: { one: ${union(variants.slice(0, 3))}, many: ${union(variants)} } }
${variants.map((name) => `    ${name}: { type: object, required: [${name}], properties: { ${name}: { type: string } } }`).join('\n')}
`);
    if (!building.ok) throw new Error(JSON.stringify(building.problems));
    const files = phpTarget.generate(building.model, options);
    const text = files.find(({ path }) => path === 'src/Model/All.php')?.text ?? '';
    expect(text).toContain('public readonly V0|V1|V2 $one,');
    expect(text).toContain('public readonly mixed $many,');
  });

  it('gives the same files for the same model', () => {
    expect(phpTarget.generate(structuredClone(wideModel), options)).toEqual(wide);
  });
});

function testdata(name: string): string {
  return fileURLToPath(new URL(`testdata/${name}`, import.meta.url));
}
