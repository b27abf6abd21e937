import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isConcrete, parsePathTemplate } from './path-template.ts';

const parameter = (name: string, isGreedy = false) => ({ kind: 'parameter', name, isGreedy });
const literal = (text: string) => ({ kind: 'literal', text });

describe('parsePathTemplate', () => {
  it.each([
    ['/', [[]]],
    ['/pets', [[literal('pets')]]],
    ['/pets/', [[literal('pets')], []]],
    ['/pets/{id}', [[literal('pets')], [parameter('id')]]],
    ['/f/{name}.{ext}', [[literal('f')], [parameter('name'), literal('.'), parameter('ext')]]],
    ['/users/{id}:activate', [[literal('users')], [parameter('id'), literal(':activate')]]],
    ['/files/{path+}', [[literal('files')], [parameter('path', true)]]],
    ['/a b/{x}'.replace(' ', '%20'), [[literal('a%20b')], [parameter('x')]]],
  ])('takes %s apart', (template, segments) => {
    expect(parsePathTemplate(template)).toEqual({ ok: true, segments });
  });

  it.each([
    ['pets', 'must begin with /'],
    ['/pets?x=1', 'must be a path without ?, # and white space'],
    ['/pets#form', 'must be a path without ?, # and white space'],
    ['/a b', 'must be a path without ?, # and white space'],
    ['/{id', 'has braces that do not fit together, or stand beside each other'],
    ['/id}', 'has braces that do not fit together, or stand beside each other'],
    ['/{a{b}}', 'has braces that do not fit together, or stand beside each other'],
    ['/{a}{b}', 'has braces that do not fit together, or stand beside each other'],
    ['/{}', 'has a parameter without a name'],
    ['/{id}/x/{id}', 'has two parameters of one name'],
    [`/${'a'.repeat(3000)}`, 'must have at most 2048 characters'],
  ])('refuses %.40s', (template, message) => {
    expect(parsePathTemplate(template)).toEqual({ ok: false, message });
  });

  it('loses nothing: what was taken apart reads as before', () => {
    const segment = fc.array(fc.oneof(fc.constantFrom('{', '}', '{a}', '{b+}', '.', 'x', ''), fc.string()), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (segments) => {
        const template = `/${segments.map((parts) => parts.join('')).join('/')}`;
        const parsed = parsePathTemplate(template);
        if (!parsed.ok) return;
        const texts = parsed.segments.map((parts) =>
          parts
            .map((part) => (part.kind === 'literal' ? part.text : `{${part.name}${part.isGreedy ? '+' : ''}}`))
            .join(''),
        );
        expect(`/${texts.join('/')}`).toBe(template);
      }),
    );
  });

  it('knows what is concrete', () => {
    const concrete = (template: string) => {
      const parsed = parsePathTemplate(template);
      return parsed.ok && isConcrete(parsed.segments);
    };
    expect(['/', '/a/b', '/a/{b}', '/a/x{b}'].map(concrete)).toEqual([true, true, false, false]);
  });
});
