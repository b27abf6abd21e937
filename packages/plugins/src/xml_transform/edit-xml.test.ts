import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { config as schema } from './config.ts';
import { compileEdits } from './compile-edits.ts';
import { editXml } from './edit-xml.ts';
import * as v from 'valibot';

function edited(config: object, text: string): string {
  const parsed = v.parse(schema, config);
  const result = editXml(text, compileEdits(parsed), parsed.xml_declaration);
  return typeof result === 'string' ? result : (result.text ?? 'unchanged');
}

const SOAP = '<s:E xmlns:s="urn:s" xmlns="urn:d"><s:B><m id=\'1\'>x</m></s:B></s:E>';

describe('edits', () => {
  it.each<[string, object, string, string]>([
    ['an element is removed', { remove: ['/r/a'] }, '<r> <a>1</a>\n<b/></r>', '<r> \n<b/></r>'],
    ['all of a name', { remove: ['/r/a'] }, '<r><a/><b/><a c="1"><a/></a></r>', '<r><b/></r>'],
    ['at any depth', { remove: ['//a'] }, '<r><a/><b><a/>t</b></r>', '<r><b>t</b></r>'],
    ['by its place', { remove: ['/r/a[2]'] }, '<r><a>1</a><b/><a>2</a><a>3</a></r>', '<r><a>1</a><b/><a>3</a></r>'],
    ['by its attribute', { remove: ["/r/a[@k='x &']"] }, '<r><a k="x &amp;"/><a k="y"/></r>', '<r><a k="y"/></r>'],
    ['having an attribute', { remove: ['/r/*[@k]'] }, '<r><a k=""/><b/></r>', '<r><b/></r>'],
    ['an attribute at any depth', { remove: ['//@a'] }, '<r a=""><b a=""/></r>', '<r><b/></r>'],
    ['below an element', { remove: ['/r/b//@a'] }, '<r a=""><b a=""><c a=""/></b></r>', '<r a=""><b><c/></b></r>'],
    ['an attribute', { remove: ['/r/@a'] }, "<r  b='2'\n a = '1' ><c/></r>", "<r  b='2'><c/></r>"],
    ['every attribute but declarations', { remove: ['/r/@*'] }, '<r a="1" xmlns="u" b="2"/>', '<r xmlns="u"/>'],
    ['never the root by a wildcard', { remove: ['//*'] }, '<r><a/></r>', '<r></r>'],
    ['a path without a slash', { remove: ['r/a'] }, '<r><a/></r>', '<r></r>'],
    ['an element is renamed', { rename: { '/r/a': 'b' } }, '<r><a x="1" >t</a><a/></r>', '<r><b x="1">t</b><b/></r>'],
    ['the root', { rename: { '/r': 'q' } }, '<r><a/></r>', '<q><a/></q>'],
    ['an attribute, in the place of another', { rename: { '/r/@a': 'b' } }, "<r a='&lt;' b='2'/>", "<r b='&lt;'/>"],
    ['not to a prefix that means nothing', { rename: { '/r': 'x:r' } }, '<r/>', 'unchanged'],
    ['a value is replaced', { replace: { '/r/a': '<&>' } }, '<r><a>1<b/></a></r>', '<r><a>&lt;&amp;&gt;</a></r>'],
    ['of an empty element', { replace: { '/r/a': 1 } }, '<r><a/><b/></r>', '<r><a>1</a><b/></r>'],
    ['of an attribute', { replace: { '/r/@a': '"\n' } }, "<r a='1'/>", '<r a="&quot;&#10;"/>'],
    ['not what is missing', { replace: { '/r/b': 1, '/r/@b': 1 } }, '<r/>', 'unchanged'],
    ['a value is set', { set: { '/r/a': true } }, '<r><a>1</a><a/></r>', '<r><a>true</a><a>true</a></r>'],
    ['or made', { set: { '/r/a/b': 'x', '/r/@c': 'y' } }, '<r/>', '<r c="y"><a><b>x</b></a></r>'],
    [
      'in every parent',
      { set: { '/r/i/n': 0 } },
      '<r><i/><i><n>1</n></i></r>',
      '<r><i><n>0</n></i><i><n>0</n></i></r>',
    ],
    ['not another root', { set: { '/q/a': 1 } }, '<r/>', 'unchanged'],
    ['a value is added', { add: { '/r/a': 1, '/r/@b': 1 } }, '<r b="0"><a>0</a></r>', 'unchanged'],
    ['where it is missing', { add: { '/r/a': 1, '/r/@b': '&' } }, '<r></r>', '<r b="&amp;"><a>1</a></r>'],
    [
      'the order is remove, rename, replace, set, add, operations',
      {
        operations: [
          { op: 'set', path: '/r/z', value: 9 },
          { op: 'remove', path: '/r/e' },
        ],
        add: { '/r/e': 5, '/r/d': 0 },
        set: { '/r/d': 4 },
        replace: { '/r/b': 3 },
        rename: { '/r/a': 'b' },
        remove: ['/r/b'],
      },
      '<r><a>1</a><b>2</b></r>',
      '<r><b>3</b><d>4</d><z>9</z></r>',
    ],
    ['the longer name wins', { set: { '/r': 1 }, set_fields: { '/r': 2 } }, '<r/>', '<r>2</r>'],
  ])('%s', (_name, config, before, after) => {
    expect(edited(config, before)).toBe(after);
  });

  it.each<[string, string]>([
    ['/s:E/s:B/m', 'written'],
    ['/*:E/*:B/*:m', 'of any prefix'],
    ['/s:*/s:*/m', 'of a prefix'],
    ['/Q{urn:s}E/Q{urn:s}B/Q{urn:d}m', 'of a namespace'],
    ['//Q{urn:d}*', 'all of a namespace'],
  ])('%s finds what is %s', (path) => {
    expect(edited({ replace: { [path]: 'y' } }, SOAP)).toBe(SOAP.replace('>x<', '>y<'));
  });

  it.each(['/E/B/m', '/Q{urn:d}E', '/s:E/s:B/s:m', '/Q{}m', '//Q{urn:s}m', '/s:E/s:B/m[2]'])(
    '%s finds nothing there',
    (path) => {
      expect(edited({ replace: { [path]: 'y' } }, SOAP)).toBe('unchanged');
    },
  );

  it('leaves what it does not touch, byte for byte', () => {
    const text =
      '<?xml version="1.0"?>\r\n<!-- c --><?p i?><r\tx=\'&#65;"\' ><![CDATA[<a>]]>&quot;\r\n<a/>\u00a0<b></b ></r>\n<!--e-->\n';
    expect(edited({ replace: { '/r/a': 1 } }, text)).toBe(text.replace('<a/>', '<a>1</a>'));
  });

  it.each<[boolean, string, string]>([
    [true, '<r/>', '<?xml version="1.0" encoding="UTF-8"?>\n<r/>'],
    [true, "<?xml version='1.0'?><r/>", 'unchanged'],
    [false, '<?xml version="1.0"?>\n<!--c--><r/>', '<!--c--><r/>'],
    [false, '<r/>', 'unchanged'],
  ])('a declaration: %s makes of %s: %s', (given, before, after) => {
    expect(edited({ xml_declaration: given }, before)).toBe(after);
  });

  it('gives up on paths that look at too much', () => {
    const wide = `<r>${'<a/>'.repeat(150_000)}</r>`;
    const paths = Array.from({ length: 99 }, (_, index) => `//b${index}`);
    expect([edited({ remove: paths.slice(0, 5) }, wide), edited({ remove: paths }, wide)]).toEqual([
      'unchanged',
      'too_large',
    ]);
  });
});

describe('any edits of any document', () => {
  const name = fc.constantFrom('a', 'b', 'r', 'p:a');
  const step = fc.tuple(
    fc.constantFrom('/', '//'),
    fc.oneof(name, fc.constantFrom('*', '*:a')),
    fc.constantFrom('', '[1]'),
  );
  const path = fc
    .tuple(fc.array(step, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '', '/@a', '/@*'))
    .map(([steps, last]) => `/r${steps.map((parts) => parts.join('')).join('')}${last}`);
  const operation = fc.oneof(
    fc.record({ op: fc.constant('remove'), path }),
    fc.record({ op: fc.constant('rename'), path, to: name }),
    fc.record({ op: fc.constantFrom('replace', 'set'), path, value: fc.constantFrom('', '<', ']]>', '"&', 7) }),
  );
  const tree = fc.letrec<{ node: string }>((tie) => ({
    node: fc
      .tuple(
        name,
        fc.constantFrom('', ' a="1"', " a='1' p:a='&lt;'"),
        fc.array(fc.oneof(fc.constantFrom('t', '<!--c-->'), tie('node')), { maxLength: 2 }),
      )
      .map(([tag, attributes, inner]) => `<${tag}${attributes}>${inner.join('')}</${tag}>`),
  })).node;

  it('give a well-formed document', () => {
    fc.assert(
      fc.property(tree, fc.array(operation, { minLength: 1, maxLength: 5 }), (inner, operations) => {
        const text = edited({ operations }, `<r xmlns:p="u">${inner}</r>`);
        const mistakes: Error[] = [];
        const parser = new SaxesParser({ xmlns: true });
        parser.on('error', (error) => mistakes.push(error));
        if (text !== 'unchanged') parser.write(text).close();
        expect(mistakes).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
