import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isSafePath } from './archive/zip-files.ts';
import { describedDocument } from './checks/described-models.test-support.ts';
import { generateSdk, generatorVersion, sdkTargets, type SdkOptions } from './index.ts';
import { packageVersionOf } from './package-version.ts';

const petstore = describedDocument('petstore');
const sdkOf = (document: unknown, options: SdkOptions) => {
  const generation = generateSdk(document, options);
  if (!generation.ok) throw new Error(JSON.stringify(generation.problems));
  return generation.sdk;
};
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a client library', () => {
  it.each(sdkTargets)('for %s says what it is, and holds files with safe paths below one folder', (target) => {
    const sdk = sdkOf(petstore, { target });
    expect(sdk).toMatchObject({
      fileName: `pet-store-${target}-1.4.0.zip`,
      mediaType: 'application/zip',
      target,
      packageVersion: '1.4.0',
      generatorVersion,
      warnings: [],
    });
    const paths = Object.keys(unzipSync(sdk.bytes));
    expect(paths.filter((path) => !isSafePath(path) || !path.startsWith(`pet-store-${target}-1.4.0/`))).toEqual([]);
    expect(paths).toContain(`pet-store-${target}-1.4.0/README.md`);
    expect(paths).toContain(`pet-store-${target}-1.4.0/LICENSE`);
    for (const [path, bytes] of Object.entries(unzipSync(sdk.bytes))) {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      if (bytes.length > 0) expect([path, text.endsWith('\n'), text.includes('\r')]).toEqual([path, true, false]);
    }
  });

  it.each(sdkTargets)('for %s is the same bytes for the same document', (target) => {
    const odd = describedDocument('odd-cases');
    expect(sha256(sdkOf(structuredClone(odd), { target }).bytes)).toBe(sha256(sdkOf(odd, { target }).bytes));
  });

  it('has the name and the address that the caller chooses', () => {
    const sdk = sdkOf(petstore, {
      target: 'typescript-fetch',
      packageName: '@acme/pets',
      baseUrl: 'https://gateway.example/pets/',
    });
    expect(sdk.packageName).toBe('@acme/pets');
    const files = Object.entries(unzipSync(sdk.bytes)).map(
      ([path, bytes]) => [path, new TextDecoder().decode(bytes)] as const,
    );
    expect(files.find(([path]) => path.endsWith('package.json'))?.[1]).toContain('"@acme/pets"');
    expect(files.find(([path]) => path.endsWith('client.ts'))?.[1]).toContain("'https://gateway.example/pets'");
  });

  it('is refused with the rule where the caller or the document is wrong', () => {
    const problemOf = (document: unknown, options: object) => {
      const generation = generateSdk(document, options as SdkOptions);
      return generation.ok ? undefined : generation.problems[0];
    };
    expect(problemOf(petstore, { target: 'cobol' })).toMatchObject({ code: 'sdk_target' });
    expect(problemOf(petstore, { target: '__proto__' })).toMatchObject({ code: 'sdk_target' });
    for (const target of sdkTargets) {
      expect(problemOf(petstore, { target, packageName: '../evil' })).toMatchObject({ code: 'sdk_package_name' });
    }
    expect(problemOf(petstore, { target: 'java', baseUrl: 'x' })).toMatchObject({ code: 'sdk_base_url' });
    expect(problemOf({ swagger: '2.0' }, { target: 'java' })).toMatchObject({ code: 'version', pointer: '/swagger' });
  });
});

describe('paths of a library', () => {
  const long = 'w'.repeat(40);
  /** Names as long as they may be, of everything that a file is called like. */
  const titled = (title: string): object => ({
    openapi: '3.1.0',
    info: { title, version: '999999999.999999999.999999999' },
    paths: {
      '/t': {
        get: {
          operationId: `${long} `.repeat(20),
          tags: [`${long} `.repeat(20)],
          parameters: [{ name: 'a', in: 'query', schema: { type: 'string' } }],
          responses: {
            200: { description: '', content: { 'application/json': { schema: { $ref: '#/components/schemas/T' } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        T: {
          title: `${long} `.repeat(20),
          type: 'object',
          properties: { a: { type: 'object', properties: { b: {} } } },
        },
      },
    },
  });

  it.each(sdkTargets)('are none that a file system does not take, whatever names a description has (%s)', (target) => {
    for (const title of [`${long} `.repeat(20), 'Internal', 'class', 'HTTP']) {
      expect(
        Object.keys(unzipSync(sdkOf(titled(title), { target }).bytes)).filter((path) => !isSafePath(path)),
      ).toEqual([]);
    }
  });

  it('are refused where they are too long for the names of the API with the name of the package', () => {
    const codeOf = (target: SdkOptions['target'], packageName: string, document: unknown = titled(long)) => {
      const generation = generateSdk(document, { target, packageName });
      return generation.ok ? undefined : generation.problems.map(({ code }) => code);
    };
    const java = `com.${'a'.repeat(40)}.${'b'.repeat(40)}.acme`;
    expect([codeOf('java', java), codeOf('java', java, describedDocument('petstore'))]).toEqual([
      ['sdk_package_name'],
      undefined,
    ]);
    expect(codeOf('java', Array(4).fill('a'.repeat(40)).join('.'))).toEqual(['sdk_package_name']);
    expect(codeOf('csharp', Array(8).fill('A'.repeat(40)).join('.'))).toEqual(['sdk_package_name']);
  });
});

describe('versions of libraries', () => {
  it.each([
    ['1.4.0', '1.4.0'],
    ['v2', '2.0.0'],
    ['1.0.0-beta.1+5', '1.0.0'],
    ['2024-01-15', '2024.1.15'],
    ['release 3.007', '3.7.0'],
    ['draft', '0.1.0'],
    ['', '0.1.0'],
    ['9'.repeat(50), '999999999.0.0'],
  ])('of an API %j are %s', (given, expected) => expect(packageVersionOf(given)).toBe(expected));
});
