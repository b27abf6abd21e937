import { describe, expect, it } from 'vitest';
import { buildingOf } from '../../checks/described-models.test-support.ts';
import { typesText, typeText } from '../../checks/model-text.test-support.ts';

function unionOf(schema: string, schemas = ''): readonly [type: string, lines: unknown, warnings: readonly string[]] {
  const building = buildingOf(`
paths: { /t: { get: { responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/T' } } } } } } } }
components: { schemas: { T: ${schema}, Cat: { type: object, required: [kind], properties: { kind: { type: string }, purrs: { type: boolean } } },
  Dog: { type: object, required: [kind], properties: { kind: { type: string }, barks: { type: boolean } } } ${schemas} } }`);
  if (!building.ok) throw new Error(JSON.stringify(building.problems));
  const { model, warnings } = building;
  const type = model.operations[0]?.result.type;
  const { cat: _, dog: _dog, ...types } = typesText(model);
  return [type ? typeText(model, type) : '', types, warnings.map(({ pointer }) => pointer)];
}

const cat = `{ $ref: '#/components/schemas/Cat' }`;
const dog = `{ $ref: '#/components/schemas/Dog' }`;

describe('choices between schemas', () => {
  it('are unions, with null taken out and inner choices taken apart', () => {
    expect(unionOf(`{ oneOf: [${cat}, { anyOf: [${dog}, { type: string }] }, { type: 'null' }] }`)).toEqual([
      't?',
      { t: ['| cat', '| dog', '| string'] },
      [],
    ]);
    expect(unionOf(`{ anyOf: [${cat}, { type: 'null' }] }`)).toEqual(['cat?', {}, []]);
    expect(unionOf(`{ anyOf: [${cat}, ${cat}] }`)).toEqual(['cat', {}, []]);
    expect(unionOf(`{ anyOf: [${cat}, {}] }`)).toEqual(['any', {}, []]);
    expect(unionOf(`{ oneOf: [{ $ref: '#/components/schemas/T' }, { type: string }] }`)).toEqual(['string', {}, []]);
  });

  it('have one variant for texts and one for numbers, since JSON tells no more', () => {
    const kinds = [
      ['{ type: [string, integer, number, boolean] }', ['| string', '| number', '| boolean']],
      ['{ anyOf: [{ type: string, format: date }, { type: string }, { type: boolean }] }', ['| string', '| boolean']],
    ] as const;
    for (const [schema, lines] of kinds) expect(unionOf(schema)[1]).toEqual({ t: lines });
    expect(unionOf('{ anyOf: [{ type: string, format: date }, { type: string, format: date-time }] }')[0]).toBe(
      'string',
    );
    expect(unionOf('{ anyOf: [{ type: string }, { type: string, enum: [a] }] }')).toEqual([
      't-option-2',
      { 't-option-2': ['a = "a"'] },
      [],
    ]);
  });

  it('of constants are an enum', () => {
    expect(unionOf('{ oneOf: [{ const: a, title: First }, { const: b }, { enum: [c, d] }] }')[1]).toEqual({
      t: ['a = "a"', 'b = "b"', 'c = "c"', 'd = "d"'],
    });
  });

  it('beside fields are unions of objects that have them all', () => {
    expect(
      unionOf(
        `{ type: object, required: [id], properties: { id: { type: string } }, oneOf: [{ title: One, properties: { a: {} } }, ${cat}] }`,
      ),
    ).toEqual([
      't',
      {
        t: ['| t-one', '| cat-t'],
        't-one': ['id!: string', 'a: any'],
        'cat-t': ['id!: string', 'kind!: string', 'purrs: boolean'],
      },
      [],
    ]);
    expect(
      unionOf('{ type: object, properties: { a: {}, b: {} }, anyOf: [{ required: [a] }, { required: [b] }] }')[1],
    ).toEqual({
      t: ['a: any', 'b: any'],
    });
    const twice = unionOf(`{ properties: { a: {} }, oneOf: [${cat}, ${dog}], anyOf: [${cat}, ${dog}] }`);
    expect(twice).toEqual(['t', { t: ['a: any', '+ any'] }, ['/components/schemas/T']]);
  });
});

describe('discriminators', () => {
  it('tell variants by their mapping, else by their names', () => {
    const mapping = `{ c: '#/components/schemas/Cat', k: Cat, x: 'https://example.com/x' }`;
    expect(unionOf(`{ oneOf: [${cat}, ${dog}], discriminator: { propertyName: kind, mapping: ${mapping} } }`)).toEqual([
      't',
      { t: ['by kind', '| cat c k', '| dog Dog'] },
      ['/components/schemas/T/discriminator/mapping/x'],
    ]);
  });

  it('are found where each variant has a constant of its own', () => {
    const [, types] = unionOf(
      '{ oneOf: [{ type: object, required: [t], properties: { t: { const: a } } }, { type: object, required: [t], properties: { t: { const: b } } }] }',
    );
    expect(types).toMatchObject({ t: ['by t', '| t-option-1 a', '| t-option-2 b'] });
  });

  it('are left out with a warning where they do not tell', () => {
    const noObject = unionOf(`{ oneOf: [${cat}, { type: string }], discriminator: { propertyName: kind } }`);
    const noField = unionOf(`{ oneOf: [${cat}, ${dog}], discriminator: { propertyName: other } }`);
    const noTag = unionOf(
      `{ oneOf: [${cat}, { type: object, properties: { kind: { type: string } } }], discriminator: { propertyName: kind } }`,
    );
    for (const [, types, warnings] of [noObject, noField, noTag]) {
      expect((types as { readonly t: readonly string[] }).t[0]).toMatch(/^\| cat$/);
      expect(warnings).toEqual(['/components/schemas/T/discriminator']);
    }
  });

  it('of a base lead to what extends it, and to itself', () => {
    const schemas = `, Lynx: { allOf: [{ $ref: '#/components/schemas/T' }, { properties: { wild: { type: boolean } } }] },
      Lion: { allOf: [{ $ref: '#/components/schemas/T' }, { properties: { roars: { type: boolean } } }] }`;
    expect(
      unionOf(
        `{ type: object, required: [kind], discriminator: { propertyName: kind, mapping: { lynx: Lynx } }, properties: { kind: { type: string } } }`,
        schemas,
      ),
    ).toEqual([
      't',
      {
        t: ['by kind', '| lynx lynx', '| lion Lion', '| t-base T'],
        lynx: ['kind!: string', 'wild: boolean'],
        lion: ['kind!: string', 'roars: boolean'],
        't-base': ['kind!: string'],
      },
      [],
    ]);
  });
});
