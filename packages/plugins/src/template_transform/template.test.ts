import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exchangeOf } from '../testing/plugin-bench.ts';
import { readJson } from './exact-json.ts';
import { compileTemplate } from './template.ts';

const consumer = { id: 'c1', username: 'ann', groups: ['staff', 'eu'] };

function filled(template: string, body: unknown, contentType?: string, isStrict = false): string {
  const compiled = compileTemplate(template, 'request', contentType);
  if (typeof compiled === 'string') return `mistake: ${compiled}`;
  const headers = ['x-id', '7', 'X.Y', 'dotted'];
  const exchange = exchangeOf({
    path: '/a',
    query: 'q=a+%26&q=2&e=',
    headers,
    facts: { route: { id: 'r', name: 'R' } },
  });
  exchange.applyRequestEdits({ consumer });
  const result = compiled.write({ exchange, body, requestBody: undefined }, isStrict);
  return result.kind === 'text' ? result.text : result.kind;
}

describe('values', () => {
  it.each<[string, string, unknown]>([
    ['{{body.a.b}}', '1', { a: { b: 1 } }],
    ['{{ body["a.b"] }}{{body[\'c\']}}', '12', { 'a.b': 1, c: 2 }],
    ['{{body.a[1]}}{{body.a.0}}', '21', { a: [1, 2] }],
    ['{{request.body.a}}', 'x', { a: 'x' }],
    ['{{body}}', '{"a":[1]}', { a: [1] }],
    ['{{body}}', 'text', 'text'],
    ['{{method}} {{path}} {{request.path}} {{host}}', 'POST /a /a api.test', null],
    ['{{query.q}}|{{query.e}}|{{query.none}}|{{query}}', 'a &|||q=a+%26&q=2&e=', null],
    ['{{headers.X-ID}} {{request.headers["x.y"]}}', '7 dotted', null],
    ['{{consumer.username}} {{consumer.groups[1]}} {{consumer.groups}}', 'ann eu ["staff","eu"]', null],
    ['{{route.name}} {{request_id}} {{tenant_id}} {{client_ip}}', 'R r1 t1 192.0.2.1', null],
    ['a{{"{{"}}b{{"\\u0041"}}', 'a{{bA', null],
    ['}} { {x} {', '}} { {x} {', null],
  ])('%s gives %s', (template, text, body) => {
    expect(filled(template, body, 'text/plain')).toBe(text);
  });

  it.each([
    ...['constructor', 'constructor.constructor', '__proto__', 'toString', 'a.length', 'a.constructor.name', 'b.x.y'],
    ...['hasOwnProperty', 'a.at', 's.length', 's.0', 'a[9]', 'a.-1'],
  ])('body.%s is missing', (path) => {
    const body = { a: [1], b: {}, s: 'text' };
    expect([
      filled(`[{{body.${path}}}]`, body, 'text/plain'),
      filled(`{{body.${path}}}`, body, 'text/plain', true),
    ]).toEqual(['[]', 'missing']);
  });

  it('have their digits', () => {
    const body = readJson('{"id":12345678901234567890,"f":1.10,"l":[1e2]}');
    expect(filled('{"id":{{body.id}},"f":"{{body.f}}","l":{{body.l}}}', body)).toBe(
      '{"id":12345678901234567890,"f":"1.10","l":[1e2]}',
    );
  });

  it.each<[string, string, string]>([
    ['{{body}}', ' {"b":1, "10":2,"2":1e0}\n', '{"b":1, "10":2,"2":1e0}'],
    ['{"a":{{body.s}},"b":"{{body.s}}"}', '{"s":"\\u00e9\\"\\n"}', '{"a":"é\\"\\n","b":"é\\"\\n"}'],
    ['{{body.a}}', '{"a":1,"a":2}', '2'],
    ['{{body.l[1].x}}{{body.l.length}}{{body.l[01]}}', '{"l":[0,{"x":true}]}', 'true'],
    ['{{body.n}}{{body.n.x}}|{{body.__proto__.x}}', '{"n":null,"__proto__":{"x":1}}', '|1'],
    ['{{body.toString}}{{body.a.b}}', '{"a":"b"}', ''],
  ])('of JSON are as they are written: %s of %s', (template, json, text) => {
    expect(filled(template, readJson(json), template.startsWith('{"') ? undefined : 'text/plain')).toBe(text);
  });

  it('of JSON are not looked for among too many', () => {
    const body = readJson(`{"x":[${'1,'.repeat(250_000)}1]}`);
    expect([filled('{{body.x[7]}}', body), filled('{{body.x}}', body).length]).toEqual(['too_complex', 500_003]);
  });

  it('that are null are not missing', () => {
    expect(filled('{"a":{{body.a}},"b":"{{body.a}}"}', { a: null }, undefined, true)).toBe('{"a":null,"b":""}');
  });

  it('stand often only up to the bound', () => {
    expect(filled('{{body}}'.repeat(17), 'x'.repeat(1_048_576), 'text/plain')).toBe('too_large');
  });
});

describe('forms', () => {
  const evil = '"}</a>&\n\u0001%';
  it.each<[string, string, string]>([
    [
      'application/json',
      '{"a":"-{{body}}-","b":{{body}}}',
      `{"a":"-\\"}</a>&\\n\\u0001%-","b":"\\"}</a>&\\n\\u0001%"}`,
    ],
    ['application/problem+json', '{{body}}', '"\\"}</a>&\\n\\u0001%"'],
    ['text/xml', '<a b="{{body}}"/>', '<a b="&quot;}&lt;/a&gt;&amp;\n\uFFFD%"/>'],
    ['text/html; charset=utf-8', '{{body}}', '&quot;}&lt;/a&gt;&amp;\n\uFFFD%'],
    ['application/x-www-form-urlencoded', 'a={{body}}', 'a=%22%7D%3C%2Fa%3E%26%0A%01%25'],
    ['text/plain', '{{body}}', evil],
  ])('%s', (type, template, text) => {
    expect(filled(template, evil, type)).toBe(text);
  });

  it.each([
    ['{"a":{{body.x}}}', 'application/json'],
    ['"{{body.x}}"', 'application/json'],
    ['  <a>{{body.x}}</a>', 'application/xml'],
    ['Hello {{body.x}}', 'text/plain; charset=utf-8'],
    ['{"a":{{body.x}}', 'text/plain; charset=utf-8'],
  ])('of %s it is %s without a word', (template, type) => {
    expect(compileTemplate(template, 'request')).toMatchObject({ contentType: type });
  });

  it('of JSON stay JSON whatever the values are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'grapheme' }), (value, key) => {
        const body = { value, [key]: key };
        const text = filled('{"a":{{body.value}},"b":"<{{body.value}}>","c":[{{body.none}}]}', body);
        // Minus nought is written as nought.
        expect(JSON.parse(text)).toMatchObject({ a: JSON.parse(JSON.stringify(value)) as unknown, c: [null] });
      }),
    );
  });
});

describe('variables that no message has', () => {
  it.each([
    ...['secrets.x', 'process.env', 'constructor', 'constructor.constructor', '__proto__.polluted', 'toString'],
    ...['headers', 'query.a.b', 'consumer.password', 'request', 'route.secret', 'body.constructor.constructor'],
  ])('are missing: %s', (variable) => {
    expect(filled(`a{{${variable}}}b`, { a: 1 }, 'text/plain')).toBe('ab');
    const isOfBody = variable.startsWith('body');
    expect(compileTemplate(`{{${variable}}}`, 'request')).toMatchObject({ unknown: isOfBody ? [] : [variable] });
  });
});

describe('templates that are refused', () => {
  it.each<[string, string | undefined, RegExp]>([
    ['{{', undefined, /no variable path at character 1/],
    ['a {{}}', undefined, /at character 3/],
    ['{{body.}}', undefined, /no variable path/],
    ['{{body..a}}', undefined, /no variable path/],
    ['{{body.a b}}', undefined, /no variable path/],
    ['{{body.a()}}{{1+1}}', undefined, /no variable path/],
    ['{{#if body}}', undefined, /no variable path/],
    ['{{response.status}}', undefined, /responses alone: response.status/],
    ['{{status}}', undefined, /responses alone: status/],
    ['{{"\\x"}}', undefined, /no JSON/],
    ['{"a":}', 'application/json', /must be JSON/],
    ['{ {{body.k}}: 1 }', 'application/json', /must be JSON/],
    ['{"a":"\\{{body.k}}"}', 'application/json', /must be JSON/],
    ['{"a":1{{body.k}}}', 'application/json', /must be JSON/],
    ['{{method}}'.repeat(501), 'text/plain', /at most 500 variables/],
    [`{{body${'.a'.repeat(32)}}}`, undefined, /more than 32 steps/],
  ])('%s', (template, type, mistake) => {
    const compiled = compileTemplate(template, 'request', type);
    expect(compiled).toMatch(mistake);
  });
});
