import { describe, expect, it } from 'vitest';
import { secretPathsOf, secretPointers } from './index.ts';

const secret = { type: 'string', 'x-secret': true };

/** Parsed, because an object literal with `then` looks like a promise. */
const conditional = JSON.parse('{"if":{},"then":{"properties":{"a":{"x-secret":true}}}}') as object;

describe('secretPointers', () => {
  it.each<[string, object, unknown, string[]]>([
    ['a marked field', { properties: { a: secret, b: { type: 'string' } } }, { a: 's', b: 't' }, ['/a']],
    ['a write-only field', { properties: { a: { writeOnly: true } } }, { a: 's' }, ['/a']],
    ['a password', { properties: { a: { type: 'string', format: 'password' } } }, { a: 's' }, ['/a']],
    ['an absent field', { properties: { a: secret } }, {}, []],
    ['a value that is no text', { properties: { a: secret } }, { a: 1 }, []],
    ['items', { properties: { a: { items: secret } } }, { a: ['s', 't'] }, ['/a/0', '/a/1']],
    ['first items', { prefixItems: [{}, secret], items: {} }, ['a', 's', 'c'], ['/1']],
    ['a map', { additionalProperties: secret }, { 'a/b~c': 's' }, ['/a~1b~0c']],
    ['every branch of a union', { anyOf: [secret, { properties: { k: secret } }] }, { k: 's' }, ['/k']],
    ['a mark on a whole object', { 'x-secret': true }, { a: { b: ['s', 1] } }, ['/a/b/0']],
    ['a reference', { $defs: { s: secret }, properties: { a: { $ref: '#/$defs/s' } } }, { a: 's' }, ['/a']],
    ['a recursive schema', { properties: { n: { $ref: '#' }, a: secret } }, { n: { n: { a: 's' } } }, ['/n/n/a']],
    ['a reference to itself', { $ref: '#' }, { a: 's' }, []],
    ['a reference to elsewhere', { $ref: 'https://example.test/s' }, 's', []],
    ['a named pattern', { patternProperties: { '^k': secret } }, { k1: 's' }, ['/k1']],
    ['a branch of a condition', conditional, { a: 's' }, ['/a']],
    ['a branch that depends', { dependentSchemas: { b: { properties: { a: secret } } } }, { a: 's', b: 1 }, ['/a']],
    ['one item among others', { contains: secret }, ['s'], ['/0']],
    ['what no branch looked at', { unevaluatedProperties: secret }, { a: 's' }, ['/a']],
    ['a schema that is just true', { properties: { a: true } }, { a: 's' }, []],
    ['a name of every object', { properties: {}, additionalProperties: false }, { constructor: 's' }, []],
  ])('finds the secrets of %s', (_name, schema, value, pointers) => {
    expect(secretPointers({ ...schema }, value)).toEqual(pointers);
  });

  it.each<[string, boolean]>([
    ['https://logs.example.com', false],
    ['HTTPS://logs.example.com:8443/api/v2/logs', false],
    ['https://logs.example.com/services/internal-collector-of-records', false],
    ['https://logs.example.com?dd-api-key=k', true],
    ['https://logs.example.com/in?', true],
    ['https://logs.example.com/inputs/0a1b2c3d-0000-4000-8000-000000000000/tag/http', true],
    ['https://user:pass@logs.example.com/', true],
    ['https://logs.example.com/#k', true],
    ['[redacted]', true],
    ['', true],
  ])('takes the address %s for a secret: %s', (address, isSecret) => {
    const schema = { properties: { to: { type: 'string', 'x-secret': 'address' } } };
    expect(secretPointers(schema, { to: address })).toEqual(isSecret ? ['/to'] : []);
  });

  it.each([
    ['http_log', 'http_endpoint'],
    ['http_log', 'endpoint'],
    ['apm_vendor', 'endpoint'],
    ['apm_vendor', 'intake_url'],
    ['apm_vendor', 'apm_endpoint'],
    ['audit_event_stream', 'audit_endpoint'],
    ['llm_as_judge', 'judge_url'],
    ['ai_rag_injector', 'retrieval_url'],
    ['cloud_guardrails', 'endpoint_url'],
    ['oauth2', 'introspection_url'],
  ])('hides the key in an address of %s, field %s, and shows an address without one', (plugin, field) => {
    expect(secretPathsOf(plugin, { [field]: 'https://in.example.com/v1?key=k' })).toEqual([`/${field}`]);
    expect(secretPathsOf(plugin, { [field]: 'https://in.example.com/v1' })).toEqual([]);
  });

  it('ends for a schema whose branches multiply', () => {
    const levels = Array.from({ length: 60 }, (_, level) => [`l${level}`, { allOf: twice(`#/$defs/l${level + 1}`) }]);
    const schema = { $defs: { ...Object.fromEntries(levels), l60: { items: secret } }, $ref: '#/$defs/l0' };
    expect(secretPointers(schema, ['s'])).toEqual(['/0']);
  });

  it('finds the keys of api_key_auth, plain and named, and no consumer', () => {
    const config = { valid_keys: ['k', { key: 'l', consumer: 'acme' }] };
    expect(secretPathsOf('api_key_auth', config)).toEqual(['/valid_keys/0', '/valid_keys/1/key']);
  });

  it('says nothing of a plugin that is not built in', () => {
    expect(secretPathsOf('somebody_elses', { key: 's' })).toEqual([]);
  });
});

function twice($ref: string): object[] {
  return [{ $ref }, { $ref }];
}
