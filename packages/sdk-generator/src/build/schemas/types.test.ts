import { describe, expect, it } from 'vitest';
import { buildingOf } from '../../checks/described-models.test-support.ts';
import { typesText } from '../../checks/model-text.test-support.ts';

/** The types of a schema `T` in YAML, beside others; and what was warned of. */
function typesOf(schemas: string, version = '3.1.0') {
  const building = buildingOf(
    `
paths: { /t: { post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/T' } } } }, responses: {} } } }
components: { schemas: { ${schemas} } }`,
    version,
  );
  if (!building.ok) return building.problems.map(({ pointer, code }) => `${pointer} ${code}`);
  const warnings = building.warnings.map(({ pointer }) => pointer);
  return warnings.length === 0 ? typesText(building.model) : { ...typesText(building.model), warnings };
}

const fieldsOf = (properties: string, version?: string) => {
  const types = typesOf(`T: { type: object, properties: { ${properties} } }`, version);
  return 't' in types ? { ...types, t: types['t']?.join(', ') } : types;
};

describe('types of schemas', () => {
  it('are scalars by their type and format', () => {
    expect(
      fieldsOf(`a: { type: integer }, b: { type: integer, format: int32 }, c: { type: number, format: float }, d: { type: boolean },
        e: { type: string, format: date }, f: { type: string, format: date-time }, g: { type: string, format: byte },
        h: { type: string, contentEncoding: base64 }, i: { type: string, format: uuid }, j: {}, k: true, l: { format: date }, m: false`),
    ).toEqual({
      t: 'a: integer, b: int32, c: number, d: boolean, e: date, f: dateTime, g: bytes, h: bytes, i: string, j: any, k: any, l: date',
    });
  });

  it('are integers of 64 bits with a sign, which is told where there is none', () => {
    expect(fieldsOf(`a: { type: integer, format: uint64 }, b: { type: integer, format: int64 }`)).toEqual({
      t: 'a: integer, b: integer',
      warnings: ['/components/schemas/T/properties/a'],
    });
  });

  it('are nullable in every way that a description can say it', () => {
    expect(
      fieldsOf(`a: { type: [string, 'null'] }, b: { anyOf: [{ type: string }, { type: 'null' }] }, c: { type: string, nullable: true },
        d: { enum: [x, null] }, e: { type: [object, 'null'], properties: { f: { type: string } } }, g: { type: 'null' },
        h: { oneOf: [{ $ref: '#/components/schemas/T' }, { const: null }] }`),
    ).toMatchObject({ t: 'a: string?, b: string?, c: string?, d: t-d?, e: t-e?, g: any, h: t?' });
    expect(
      fieldsOf(
        `a: { nullable: true, allOf: [{ $ref: '#/components/schemas/T' }] }, b: { type: integer, nullable: true }`,
        '3.0.3',
      ),
    ).toEqual({ t: 'a: t?, b: integer?' });
  });

  it('are lists and maps in each other, and free-form where nothing is said', () => {
    expect(
      fieldsOf(`a: { type: array, items: { type: array, items: { type: [string, 'null'] } } }, b: { type: array },
        c: { type: object, additionalProperties: { type: integer } }, d: { type: object }, e: { type: object, additionalProperties: true },
        f: { type: object, patternProperties: { '^x': { type: number } } }, g: { items: { type: string } },
        h: { type: array, prefixItems: [{ type: number }, { type: number }] }`),
    ).toEqual({
      t: 'a: string?[][], b: any[], c: map<integer>, d: map<any>, e: map<any>, f: map<number>, g: string[], h: number[]',
    });
  });

  it('are objects named after their place, with and without additional fields', () => {
    expect(
      typesOf(`T: { properties: { a: { properties: { b: { properties: { c: { type: string } } } } } }, required: [a, z], additionalProperties: { type: [integer, 'null'] } },
        O: { type: object, additionalProperties: false }`),
    ).toEqual({ t: ['a!: t-a', 'z!: any', '+ integer?'], 't-a': ['b: t-a-b'], 't-a-b': ['c: string'] });
  });

  it('are put together of allOf: the nearest says the most, and what is in itself adds nothing', () => {
    expect(
      typesOf(`T: { allOf: [{ $ref: '#/components/schemas/A' }, { required: [b] }, { properties: { a: { type: integer }, s: {} } }], properties: { own: { type: string } } },
        A: { allOf: [{ $ref: '#/components/schemas/A' }, { type: object, properties: { a: { type: number }, b: { type: string }, s: { type: string } } }] }`),
    ).toEqual({ t: ['a: integer', 'b!: string', 's: string', 'own: string'] });
    expect(
      typesOf(
        `T: { allOf: [{ $ref: '#/components/schemas/A' }, { description: x }] }, A: { type: object, properties: { a: {} } }`,
      ),
    ).toEqual({ a: ['a: any'] });
    expect(typesOf(`T: { type: object, properties: { c: { allOf: [{ type: string }, { type: integer }] } } }`)).toEqual(
      {
        t: ['c: any'],
        warnings: ['/components/schemas/T/properties/c'],
      },
    );
  });

  it('take what stands beside a reference in 3.1 only', () => {
    const schemas = `T: { type: object, properties: { a: { $ref: '#/components/schemas/A', properties: { b: { type: string } } } } }, A: { type: object, properties: { a: {} } }`;
    expect(typesOf(schemas)).toEqual({ t: ['a: t-a'], 't-a': ['a: any', 'b: string'] });
    expect(typesOf(schemas, '3.0.0')).toEqual({ t: ['a: a'], a: ['a: any'] });
  });

  it('are enums with a name for each value', () => {
    const odd = `[low, LOW, '', ' ', '-a', '+', '1.5', 'größe', 名]`;
    expect(
      typesOf(
        `T: { type: object, properties: { a: { enum: ${odd} }, b: { type: integer, enum: [0, -1] }, c: { enum: [0.5] }, d: { const: x } } }`,
      ),
    ).toEqual({
      t: ['a: t-a', 'b: t-b', 'c: t-c', 'd: t-d'],
      't-a': [
        'low = "low"',
        'low-2 = "LOW"',
        'empty = ""',
        'space = " "',
        'minus-a = "-a"',
        'plus = "+"',
        '1-5 = "1.5"',
        'gro-udf-e = "größe"',
        'u540d = "名"',
      ],
      't-b': ['0 = 0', 'minus-1 = -1'],
      't-c': ['0-point-5 = 0.5'],
      't-d': ['x = "x"'],
    });
    expect(fieldsOf(`a: { enum: [true, false] }, b: { type: string, enum: [a, 1] }`)).toMatchObject({
      t: 'a: boolean, b: string',
    });
  });

  it('may lead to themselves by objects and choices, and are cut elsewhere', () => {
    expect(
      typesOf(`T: { type: object, properties: { self: { $ref: '#/components/schemas/T' }, list: { type: array, items: { $ref: '#/components/schemas/T' } },
          json: { $ref: '#/components/schemas/Json' }, loop: { $ref: '#/components/schemas/Loop' }, only: { $ref: '#/components/schemas/Only' } } },
        Json: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/Json' } }, { type: object, additionalProperties: { $ref: '#/components/schemas/Json' } }] },
        Loop: { type: array, items: { $ref: '#/components/schemas/Loop' } },
        Only: { oneOf: [{ type: array, items: { $ref: '#/components/schemas/Only' } }, { type: array, items: { $ref: '#/components/schemas/Only' }, maxItems: 2 }] }`),
    ).toEqual({
      t: ['self: t', 'list: t[]', 'json: json', 'loop: any[]', 'only: any[]'],
      json: ['| string', '| json[]', '| map<json>'],
      warnings: ['/components/schemas/Loop', '/components/schemas/Only'],
    });
  });

  it('have names that differ in every casing, components first', () => {
    expect(
      typesOf(`T: { type: object, properties: { a: { $ref: '#/components/schemas/T_A' }, A: { type: object, properties: { own: {} } }, b: { $ref: '#/components/schemas/ta' }, t-a: {}, tA: {} } },
        T_A: { type: object, properties: { x: {} } }, ta: { type: object, properties: { y: {} } }`),
    ).toEqual({
      t: ['a: t-a', 'A: t-a-2-2', 'b: ta-2', 't-a: any', 'tA: any'],
      't-a': ['x: any'],
      'ta-2': ['y: any'],
      't-a-2-2': ['own: any'],
    });
  });

  it('tell what only one direction has, which is required in neither where both use the type', () => {
    const both = buildingOf(`
paths: { /t: { put: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/T' } } } }, responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/T' } } } } } }, get: { responses: { '200': { description: '', content: { application/json: { schema: { $ref: '#/components/schemas/R' } } } } } } } }
components: { schemas: { T: { type: object, required: [id, secret, name], properties: { id: { readOnly: true }, secret: { writeOnly: true }, name: {} } }, R: { type: object, required: [id], properties: { id: { readOnly: true, default: 5 } } } } }`);
    expect(both.ok && typesText(both.model)).toEqual({ t: ['id: any', 'secret: any', 'name!: any'], r: ['id!: any'] });
    expect(both.ok && both.model.types[0]).toMatchObject({
      properties: [{ isReadOnly: true, description: 'Default: 5' }],
    });
  });
});
