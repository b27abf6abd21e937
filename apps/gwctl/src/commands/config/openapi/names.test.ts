import { familyNamed, writeSchema } from '@portcullis/resources';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { nameOfPath, slug, uniqueNames } from './names.ts';

describe('names', () => {
  it.each([
    ['Swagger Petstore - OpenAPI 3.0', 'Swagger-Petstore-OpenAPI-3.0'],
    ['getPetById', 'getPetById'],
    ['  a/b\tc  ', 'a-b-c'],
    ['..hidden--', 'hidden'],
    ['注文 一覧', '注文-一覧'],
    ['!?', ''],
  ])('slug of %j', (text, name) => expect(slug(text)).toBe(name));

  it.each([
    ['/', 'root'],
    ['/pets/{petId}/toys', 'pets.petId.toys'],
    ['/report.{format}', 'report.format'],
    ['/users/{id}:activate', 'users.id-activate'],
    ['/{}', 'root'],
  ])('name of the path %s', (path, name) => expect(nameOfPath(path)).toBe(name));

  it('are such as the catalogue takes, whatever the text, and differ in more than case', () => {
    const schema = writeSchema(familyNamed('gateways'));
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 400 }), { maxLength: 20 }), (texts) => {
        const free = uniqueNames();
        const names = texts.map((text) => free(`api.${slug(text) || nameOfPath(text)}`));
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(texts.length);
        for (const name of names) expect(v.safeParse(schema, { name }).issues).toBeUndefined();
      }),
    );
  });

  it('too long for a name are told apart by a digest', () => {
    const [one, other] = [slug(`${'a'.repeat(500)}1`), slug(`${'a'.repeat(500)}2`)];
    expect(one).not.toBe(other);
    expect(one.length).toBeLessThan(256);
  });
});
