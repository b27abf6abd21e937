import type { NamedType, SdkObject, SdkProperty } from '../../model/named-types.ts';
import type { TypeRef } from '../../model/type-refs.ts';
import { wordsOf } from '../../names/words.ts';

export const string = { kind: 'string' } as const;
export const integer = { kind: 'integer', bits: 64 } as const;
export const any = { kind: 'any' } as const;
export const named = (id: string): TypeRef => ({ kind: 'named', id });
export const list = (items: TypeRef): TypeRef => ({ kind: 'list', items });
export const nullable = (type: TypeRef): TypeRef => ({ kind: 'nullable', type });

function property(wireName: string, type: TypeRef, more: Partial<SdkProperty> = {}): SdkProperty {
  return {
    wireName,
    words: wordsOf(wireName),
    type,
    isRequired: false,
    description: undefined,
    isDeprecated: false,
    isReadOnly: false,
    isWriteOnly: false,
    part: undefined,
    ...more,
  };
}

function object(name: string, properties: readonly SdkProperty[], more: Partial<SdkObject> = {}): SdkObject {
  return {
    kind: 'object',
    id: name,
    words: wordsOf(name),
    description: undefined,
    isDeprecated: false,
    properties,
    additional: undefined,
    isForm: false,
    ...more,
  };
}

function union(name: string, variants: readonly string[]): NamedType {
  return {
    kind: 'union',
    id: name,
    words: wordsOf(name),
    description: undefined,
    isDeprecated: false,
    discriminator: undefined,
    variants: variants.map((id) => ({ words: wordsOf(id), type: named(id), tags: [] })),
  };
}

const required = { isRequired: true } as const;
const text = { kind: 'text', style: 'form', contentType: undefined, isExploded: true } as const;

/** The types of `testing/wide-model`. */
export const wideTypes: readonly NamedType[] = [
  object(
    'Node',
    [
      property('id', integer, required),
      property('class', named('Level'), { ...required, description: 'A reserved word.' }),
      property('$made-at', { kind: 'dateTime' }, { description: 'When it was made: "then".' }),
      property('day', { kind: 'date' }),
      property('note', nullable(string)),
      property('comment', nullable(string), required),
      property('data', { kind: 'bytes' }),
      property('ratio', { kind: 'number' }),
      property('isOpen', { kind: 'boolean' }),
      property('children', list(named('Node'))),
      property('parent', named('Node')),
      property('shape', named('Shape')),
      property('value', named('Value')),
      property('labels', { kind: 'map', values: string }),
      property('free', any),
      property('revision', integer, { isReadOnly: true }),
      property('rank', named('Rank'), { isDeprecated: true }),
    ],
    { additional: integer, description: 'A node of a tree.' },
  ),
  {
    kind: 'enum',
    id: 'Level',
    words: ['level'],
    description: undefined,
    isDeprecated: false,
    base: 'string',
    values: ['low', 'HIGH', '', '1st', 'None', 'a"b'].map((value, index) => ({
      value,
      words: value === '' ? ['empty'] : value === 'a"b' ? ['quoted', String(index)] : wordsOf(value),
    })),
  },
  {
    kind: 'enum',
    id: 'Rank',
    words: ['rank'],
    description: undefined,
    isDeprecated: false,
    base: 'integer',
    values: [1, -2].map((value) => ({ value, words: wordsOf(value < 0 ? `minus ${-value}` : String(value)) })),
  },
  object('Circle', [property('kind', string, required), property('radius', { kind: 'number' }, required)]),
  object('Square', [property('kind', string), property('side', { kind: 'number' }, required)]),
  {
    kind: 'union',
    id: 'Shape',
    words: ['shape'],
    description: 'A shape.',
    isDeprecated: false,
    discriminator: 'kind',
    variants: [
      { words: ['circle'], type: named('Circle'), tags: ['circle', 'round'] },
      { words: ['square'], type: named('Square'), tags: ['square'] },
    ],
  },
  {
    kind: 'union',
    id: 'Value',
    words: ['value'],
    description: undefined,
    isDeprecated: false,
    discriminator: undefined,
    variants: [
      { words: ['string'], type: string, tags: [] },
      { words: ['integer'], type: integer, tags: [] },
      { words: ['values'], type: list(named('Value')), tags: [] },
      { words: ['circle'], type: named('Circle'), tags: [] },
    ],
  },
  object('Filter', [
    property('from', { kind: 'date' }),
    property('max-size', integer),
    property('of', named('Filter')),
  ]),
  // What stands in one pair, in several, or in none.
  object('Prefs', [
    property('a', integer),
    property('b', string),
    property('gone', nullable(string)),
    property('half', { kind: 'number' }),
    property('inner', named('Filter')),
    property('list', list(string)),
    property('none', list(string)),
  ]),
  // What only answers have, and has to be there.
  object('Reading', [
    property('at', { kind: 'dateTime' }),
    property('data', { kind: 'bytes' }),
    property('day', { kind: 'date' }),
    property('number', integer, { ...required, isReadOnly: true }),
  ]),
  // Each takes the JSON of the other one: what knows most of it is meant.
  object('Named', [property('name', string)]),
  object('Failed', [property('code', integer), property('message', string)]),
  union('Alike', ['Named', 'Failed']),
  // What is inside comes first: who tries each type with it, on each level, never ends.
  object('Texts', [property('inner', named('Deep')), property('name', string, required)]),
  object('Counts', [property('inner', named('Deep')), property('name', integer, required)]),
  union('Deep', ['Texts', 'Counts']),
  object(
    'LoginForm',
    [
      property('user name', string, { ...required, part: text }),
      property('tag', list(string), { part: text }),
      property('ids', list(integer), { part: { ...text, isExploded: false } }),
      property('piped', list(integer), { part: { ...text, style: 'pipeDelimited', isExploded: false } }),
      property('where', named('Filter'), { part: { ...text, style: 'deepObject' } }),
      property('meta', named('Filter'), {
        part: { kind: 'json', style: 'form', contentType: 'application/json', isExploded: true },
      }),
    ],
    { isForm: true },
  ),
  object(
    'UploadForm',
    [
      property('title "x"', string, { ...required, part: text }),
      property(
        'photo',
        { kind: 'binary' },
        { ...required, part: { kind: 'file', style: 'form', contentType: undefined, isExploded: true } },
      ),
      property('pages', list({ kind: 'binary' }), {
        part: { kind: 'file', style: 'form', contentType: 'image/png', isExploded: true },
      }),
      property('meta', named('Filter'), {
        part: { kind: 'json', style: 'form', contentType: 'application/json', isExploded: true },
      }),
      property('count', integer, { part: text }),
      property('note', list(string), { part: { ...text, contentType: 'text/markdown' } }),
    ],
    { isForm: true },
  ),
];
