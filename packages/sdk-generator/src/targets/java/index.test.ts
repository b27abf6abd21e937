import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildingOf, describedModel } from '../../checks/described-models.test-support.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { SdkFile } from '../../target.ts';
import { hostileModels, hostileText, withTexts } from '../testing/hostile-model.test-support.ts';
import { withTypeOfName } from '../testing/named-type.test-support.ts';
import { outputOf, writeFiles } from '../testing/target-files.test-support.ts';
import { wideModel } from '../testing/wide-model.test-support.ts';
import { wideOutcomes } from '../testing/wide-outcomes.test-support.ts';
import { startWideServer } from '../testing/wide-server.test-support.ts';
import { java } from './index.ts';
import { clientNameOf } from './java-names.ts';
import { javaSkeleton } from './java-skeleton.test-support.ts';
import { classPath, compile, hasJava, quickly } from './javac.test-support.ts';

const [hostile = wideModel] = hostileModels(wideModel, 1);
/** Of a description that has nothing but webhooks. */
const empty: SdkModel = { ...wideModel, types: [], operations: [] };
/** Compilers share the machine with other tests. */
const compileTimeoutMs = 180_000;

describe('the Java target', () => {
  it.skipIf(!hasJava)(
    'makes clients that compile without a warning, call, read and refuse as described (needs javac and Jackson)',
    async () => {
      await using folder = await temporaryFolder();
      await using server = await startWideServer();
      // All at once, since the compiler takes long to begin.
      const sources = folder.join('src/main/java');
      mkdirSync(sources, { recursive: true });
      const models = {
        wide: wideModel,
        odd: describedModel('odd-cases'),
        petstore: describedModel('petstore'),
        hostile,
        empty,
        // Its own code uses a class that is called like this client would be.
        http: empty,
        named: exampleOfExample(),
      };
      for (const [name, model] of Object.entries(models)) {
        const files = library(model, `com.acme.${name}`);
        writeFiles(folder.path, files);
        const example = exampleIn(files).replace('class Example', `class Example_${name}`);
        writeFileSync(`${sources}/Example_${name}.java`, example);
      }
      cpSync(fileURLToPath(new URL('testdata/Drive.java', import.meta.url)), `${sources}/Drive.java`);
      expect(await compile(folder.path)).toBe('');
      const output = await outputOf(folder.path, 'java', [...quickly, '-cp', classPath, 'Drive', server.url]);
      expect(output).toMatch(/^\{.*\}\n$/);
      expect(JSON.parse(output)).toEqual({
        ...wideOutcomes,
        broken: 'GET /broken: /1/children/0/id must be an integer of 64 bits',
        noJson: 'GET /text: the answer is not JSON',
      });
    },
    compileTimeoutMs,
  );

  it('keeps every text of a description inside of literals, comments and elements', () => {
    // Where texts that stand for each other are alike in both.
    const plain = library(withTexts(wideModel, ['plain']));
    for (const model of hostileModels(wideModel, 20)) {
      const files = library(model);
      expect(files.map(({ path }) => path)).toEqual(plain.map(({ path }) => path));
      expect(skeletons(files)).toEqual(skeletons(plain));
      // What only a person would take for something else.
      expect(files.map(({ text }) => text).join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029\0\r\ufeff]/);
    }
  });

  it('notices a text that gets out of its comment or literal', () => {
    const skeleton = javaSkeleton('/** a */ class A { String b = "c"; }');
    expect(javaSkeleton(String.raw`/** a \u002a\u002f */ class A { String b = "c"; }`)).not.toBe(skeleton);
    expect(javaSkeleton(String.raw`/** \\u002a/ */ class A { String b = "\\\" \u0041"; }`)).toBe(skeleton);
    expect(javaSkeleton(String.raw`/** a */ class A { String b = "c\u0022; }`)).toBe(
      skeleton.replace('""; }', '""; }'),
    );
    expect(() => javaSkeleton(String.raw`/** a */ class A { String b = "c\\u0022; }`)).toThrow('no end');
  });

  it('keeps classes within what the class format holds', () => {
    const [object] = wideModel.types;
    const [operation] = wideModel.operations;
    const [, level] = wideModel.types;
    if (object?.kind !== 'object' || operation === undefined || level?.kind !== 'enum')
      throw new Error('another model');
    const many = <T>(count: number, make: (index: number) => T): readonly T[] =>
      Array.from({ length: count }, (_, at) => make(at));
    const [property] = object.properties;
    if (property === undefined) throw new Error('another model');
    const files = library({
      ...wideModel,
      types: [
        {
          ...object,
          properties: many(500, (at) => ({
            ...property,
            wireName: at === 7 ? 'x'.repeat(70_000) : `f${at}`,
            words: ['f', String(at)],
          })),
        },
        { ...level, values: many(3000, (at) => ({ value: `v${at}`, words: ['v', String(at)] })) },
        ...wideModel.types.slice(2),
      ],
      operations: many(1000, (at) => ({ ...operation, words: ['find', String(at)] })),
    });
    const textOf = (name: string): string => files.find(({ path }) => path.endsWith(`/${name}.java`))?.text ?? '';
    expect(files.filter(({ path }) => /\/DefaultApi\d?\.java$/.test(path)).length).toBe(4);
    expect(textOf('Node').match(/ (?:read|write)Part\d\(/g)?.length).toBe(12);
    expect(textOf('Level').match(/public static final/g)?.length).toBe(1000);
    expect(textOf('Node')).toContain('", "' + 'x'.repeat(10_000));
    expect(Math.max(...(textOf('Node').match(/x+/g) ?? []).map((run) => run.length))).toBe(20_000);
  });

  it('takes names of packages that Java and Maven take, and suggests one', () => {
    const { pattern, suggest } = java.packageName;
    const titled = (title: string): string => suggest({ ...wideModel, title });
    expect(
      ['com.acme', 'com.acme.petstore', 'a1.b_c', 'com.java.console', 'javas.com0'].filter(
        (name) => !pattern.test(name),
      ),
    ).toEqual([]);
    const refused = [
      '',
      'acme',
      'Com.acme',
      'com..acme',
      '.com.acme',
      'com.acme.',
      'com.class',
      'new.acme',
      'com.1a',
      'com/acme',
      'com.acme\n',
      'java.lang',
      'javax.acme',
      'jdk.acme',
      'sun.misc',
      'com.con',
      'aux.acme',
      'com.lpt9.acme',
    ];
    expect(refused.filter((name) => pattern.test(name))).toEqual([]);
    expect([titled('Swagger Petstore'), titled('3D!'), titled('Class'), titled('Nul')]).toEqual([
      'com.example.swaggerpetstore',
      'com.example.n3d',
      'com.example.classapi',
      'com.example.nulapi',
    ]);
    fc.assert(fc.property(hostileText, (title) => pattern.test(titled(title))));
    expect(
      ['com.example.ordinaryapi', 'com.acme.pet_store', 'com.acme.http'].map((name) =>
        clientNameOf('Ordinary API', name),
      ),
    ).toEqual(['OrdinaryApiClient', 'PetStoreClient', 'HttpApiClient']);
  });

  it('gives no file a name that Windows keeps for a device', () => {
    expect(library(withTypeOfName('aux')).map(({ path }) => path)).toContain(
      'src/main/java/com/acme/wide/model/Aux2.java',
    );
  });

  it('gives the same files for the same model', () => {
    expect(library(structuredClone(wideModel))).toEqual(library(wideModel));
  });
});

/** Its example needs an object of a class that is called like the class of the example. */
function exampleOfExample(): SdkModel {
  const building = buildingOf(`
paths: { /t: { post: { responses: {}, requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Example' } } } } } } }
components: { schemas: { Example: { type: object, required: [a], properties: { a: { $ref: '#/components/schemas/System' } } }, System: { type: object, properties: { b: { type: string } } } } }`);
  if (!building.ok) throw new Error(JSON.stringify(building.problems));
  return building.model;
}

function library(model: SdkModel, packageName = 'com.acme.wide'): readonly SdkFile[] {
  return [...java.generate(model, { packageName, packageVersion: '1.2.0', generatorVersion: '0.1.0' })];
}

function exampleIn(files: readonly SdkFile[]): string {
  const readme = files.find(({ path }) => path === 'README.md')?.text ?? '';
  return /```java\n(import [\s\S]*?)```/.exec(readme)?.[1] ?? '';
}

/** What is left of code, and of the elements of the project file. */
function skeletons(files: readonly SdkFile[]): readonly (readonly string[])[] {
  return files.flatMap(({ path, text }) => {
    if (path.endsWith('.java')) return [[path, javaSkeleton(text)]];
    return path === 'pom.xml' ? [[path, text.replace(/>[^<>]*</g, '><')]] : [];
  });
}
