import { cpSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@portcullis/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describedModel } from '../../checks/described-models.test-support.ts';
import type { SdkModel } from '../../model/sdk-model.ts';
import type { SdkFile } from '../../target.ts';
import { hostileModels, hostileText, withTexts } from '../testing/hostile-model.test-support.ts';
import { withTypeOfName } from '../testing/named-type.test-support.ts';
import { outputOf, writeFiles } from '../testing/target-files.test-support.ts';
import { wideModel } from '../testing/wide-model.test-support.ts';
import { wideOutcomes } from '../testing/wide-outcomes.test-support.ts';
import { startWideServer } from '../testing/wide-server.test-support.ts';
import { csharpSkeleton } from './csharp-skeleton.test-support.ts';
import { csharp } from './index.ts';
import { compile, hasMono } from './mcs.test-support.ts';

const [hostile = wideModel] = hostileModels(wideModel, 1);
/** Of a description that has nothing but webhooks. */
const empty: SdkModel = { ...wideModel, types: [], operations: [] };
/** Compilers share the machine with other tests. */
const compileTimeoutMs = 180_000;

describe('the C# target', () => {
  it.skipIf(!hasMono)(
    'makes clients that compile without a warning, call, read and refuse as described (needs mono, mcs and Newtonsoft.Json)',
    async () => {
      await using folder = await temporaryFolder();
      await using server = await startWideServer();
      const models = {
        Wide: wideModel,
        Odd: describedModel('odd-cases'),
        Petstore: describedModel('petstore'),
        Hostile: hostile,
        Empty: empty,
        // Its own code uses a class that is called like this client would be.
        Http: empty,
      };
      for (const [name, model] of Object.entries(models)) {
        const files = library(model, `Acme.${name}`);
        writeFiles(
          folder.path,
          files.map(({ path, text }) => ({ path: `${name}/${path}`, text })),
        );
        writeFileSync(
          folder.join(`Example${name}.cs`),
          exampleIn(files).replace('class Example', `class Example${name}`),
        );
      }
      cpSync(fileURLToPath(new URL('testdata/Drive.cs', import.meta.url)), folder.join('Drive.cs'));
      expect(await compile(folder.path)).toBe('');
      const output = await outputOf(folder.path, 'mono', ['drive.exe', server.url]);
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
      const all = files.map(({ text }) => text).join('');
      // What only a person would take for something else.
      expect(all).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029\0\r\ufeff]/);
      expect(documentsOf(files).filter((text) => !isWellFormed(text))).toEqual([]);
    }
  });

  it('notices a text that gets out of its comment, literal or element', () => {
    const skeleton = csharpSkeleton('/// a\nclass A { string b = "c"; }');
    expect(csharpSkeleton('/// a\u2028class B {}\nclass A { string b = "c"; }')).not.toBe(skeleton);
    expect(csharpSkeleton(String.raw`/// \u000a*/` + '\nclass A { string b = "c\\\\\\"\\u0022"; }')).toBe(skeleton);
    expect(() => csharpSkeleton('class A { string b = "c\u0085"; }')).toThrow('no end');
    expect(isWellFormed('<a b="c">&amp; d</a>')).toBe(true);
    expect(['<a>', '<a>&</a>', '<a></b>', '<a><b></a></b>'].filter(isWellFormed)).toEqual([]);
  });

  it('writes texts into the project file without what MSBuild would run', () => {
    const [project] = library({ ...wideModel, title: '$(Evil) @(Evil) %24(Evil) $([System.IO.File]::Delete("a"));' });
    expect(project?.text).toContain(
      '<Title>%24%28Evil%29 %40%28Evil%29 %2524%28Evil%29 %24%28[System.IO.File]::Delete%28&quot;a&quot;%29%29%3B client</Title>',
    );
  });

  it('takes namespaces that hide nothing, and suggests one', () => {
    const { pattern, suggest } = csharp.packageName;
    const titled = (title: string): string => suggest({ ...wideModel, title });
    expect(['Acme', 'Acme.Petstore', 'A1.B', 'Acme.Console', 'Com0'].filter((name) => !pattern.test(name))).toEqual([]);
    const refused = [
      '',
      'acme',
      'Acme.',
      '.Acme',
      'Acme..B',
      'Acme.System',
      'System',
      'Newtonsoft.Json',
      'Acme.1',
      'A/B',
      'A-B',
      'Acme\n',
      'Acme.Con',
      'NUL',
      'Acme.Com1.B',
    ];
    expect(refused.filter((name) => pattern.test(name))).toEqual([]);
    expect([titled('Swagger Petstore'), titled('3D!'), titled('System')]).toEqual([
      'SwaggerPetstoreSdk',
      'N3DSdk',
      'SystemSdk',
    ]);
    fc.assert(fc.property(hostileText, (title) => pattern.test(titled(title))));
    const client = (name: string): string | undefined =>
      library(wideModel, name).find(({ path }) => /^\w*Client\.cs$/.test(path))?.path;
    expect(['Acme.Petstore', 'PetstoreSdk', 'PetstoreClient', 'Client'].map(client)).toEqual([
      'PetstoreClient.cs',
      'PetstoreClient.cs',
      'PetstoreApiClient.cs',
      'ClientClient.cs',
    ]);
  });

  it('gives no file a name that Windows keeps for a device', () => {
    expect(library(withTypeOfName('aux')).map(({ path }) => path)).toContain('Models/Aux2.cs');
  });

  it('gives the same files for the same model', () => {
    expect(library(structuredClone(wideModel))).toEqual(library(wideModel));
  });
});

function library(model: SdkModel, packageName = 'Acme.Wide'): readonly SdkFile[] {
  return [...csharp.generate(model, { packageName, packageVersion: '1.2.0', generatorVersion: '0.1.0' })];
}

function exampleIn(files: readonly SdkFile[]): string {
  const readme = files.find(({ path }) => path === 'README.md')?.text ?? '';
  return /```csharp\n(using [\s\S]*?)```/.exec(readme)?.[1] ?? '';
}

/** What is left of code, and of the elements of the project file. */
function skeletons(files: readonly SdkFile[]): readonly (readonly string[])[] {
  return files.flatMap(({ path, text }) => {
    if (path.endsWith('.cs')) return [[path, csharpSkeleton(text)]];
    return path.endsWith('.csproj') ? [[path, text.replace(/>[^<>]*</g, '><')]] : [];
  });
}

/** Everything that is read as XML: the project, and each run of documentation comments. */
function documentsOf(files: readonly SdkFile[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    if (path.endsWith('.csproj')) return [text.replace(/<!--.*?-->/, '')];
    return [...text.matchAll(/(?:^ *\/\/\/.*\n)+/gm)].map(([run]) => run.replace(/^ *\/\/\//gm, ''));
  });
}

function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  for (const [, text = '', close, name = '', empty] of xml.matchAll(
    /([^<]*)(?:<(\/?)(\w+)(?: \w+="[^"<]*")* ?(\/?)>|$)/g,
  )) {
    if (/[<>]|&(?!(?:amp|lt|gt|quot);)/.test(text)) return false;
    if (name === '' || empty === '/') continue;
    if (close === '/' && open.pop() !== name) return false;
    if (close === '') open.push(name);
  }
  return open.length === 0;
}
