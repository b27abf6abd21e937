import { describe, expect, it } from 'vitest';
import { buildingOf } from '../checks/described-models.test-support.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import type { SdkFile } from '../target.ts';
import { sdkTargets, targets, type SdkTargetName } from './index.ts';

function modelOf(description: string): SdkModel {
  const building = buildingOf(description);
  if (!building.ok) throw new Error(JSON.stringify(building.problems));
  return building.model;
}

function libraryOf(name: SdkTargetName, model: SdkModel): readonly SdkFile[] {
  const target = targets[name];
  const options = {
    packageName: target.packageName.suggest(model),
    packageVersion: '1.0.0',
    generatorVersion: '0.1.0',
  };
  return [...target.generate(model, options)];
}

const textOf = (files: readonly SdkFile[], path: RegExp): string =>
  files.find((file) => path.test(file.path))?.text ?? '';

describe('what the library of each language has', () => {
  const model = modelOf(`
servers: [{ url: 'https://api.example.com' }]
paths:
  /keyed: { get: { operationId: keyed, security: [{ key: [] }], responses: {} } }
  /named: { post: { operationId: named, security: [{ login: [] }], responses: {} } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    login: { type: http, scheme: basic }
    token: { type: http, scheme: bearer }
`);

  it.each(sdkTargets)('is an example with the credential that its call asks for (%s)', (name) => {
    const readme = textOf(libraryOf(name, model), /README\.md$/);
    const example = /## Example\n```\w+\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
    expect(example).toMatch(/keyed/i);
    expect(example).toMatch(/api_?key/i);
    expect(example).not.toMatch(/token|basic|password/i);
  });

  it.each(sdkTargets)(
    'is an example that is soon found, in however many ways types lead to each other (%s)',
    (name) => {
      const names = Array.from({ length: 60 }, (_, index) => `T${index}`);
      const fields = names.map((one) => `${one}: { $ref: '#/components/schemas/${one}' }`).join(', ');
      const schemas = names.map(
        (one) => `${one}: { type: object, required: [${names.join(', ')}], properties: { ${fields} } }`,
      );
      const answer = `responses: { '200': { description: '', content: { application/json: { schema: { type: string } } } } }`;
      const tangled = modelOf(`
paths:
  /t: { post: { requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/T0' } } } }, ${answer} } }
components: { schemas: { ${schemas.join(', ')} } }`);
      const started = performance.now();
      expect(textOf(libraryOf(name, tangled), /README\.md$/)).toContain('## Example');
      expect(performance.now() - started).toBeLessThan(5000);
    },
  );

  it.each(sdkTargets)('is a table of credentials, one of operations, and a licence (%s)', (name) => {
    const readme = textOf(libraryOf(name, model), /README\.md$/);
    expect(readme.match(/^## .*/gm)).toEqual(
      expect.arrayContaining(['## Authentication', '## Operations', '## Licence']),
    );
    for (const sent of ['sent as `Authorization: Bearer`', 'sent as header `X-Key`', 'sent as `Authorization: Basic`'])
      expect(readme).toContain(sent);
    expect(readme).toContain('licensed under 0BSD');
  });

  it.each([
    ['typescript-fetch', /package\.json$/, '"license": "0BSD"'],
    ['python', /pyproject\.toml$/, 'license = "0BSD"'],
    ['java', /pom\.xml$/, '<name>0BSD</name>'],
    ['csharp', /\.csproj$/, '<PackageLicenseExpression>0BSD</PackageLicenseExpression>'],
    ['php', /composer\.json$/, '"license": "0BSD"'],
  ] as const)('is a licence where its ecosystem looks for it (%s)', (name, path, licence) =>
    expect(textOf(libraryOf(name, model), path)).toContain(licence),
  );
});
