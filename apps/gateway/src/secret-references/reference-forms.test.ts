import { isSecretReference, isWellFormedReference } from '@portcullis/plugins';
import { parseReference } from '@portcullis/vaults';
import { expect, it } from 'vitest';

const names = ['a', 'A.b_c-1', '..', '.', '', 'a b', 'é', 'x'.repeat(128), 'x'.repeat(129)];
const prefixes = ['prod', 'p', 'Prod', '1', 'p-', 'p-1', 'x'.repeat(63), 'x'.repeat(64), ''];

it('the control plane takes the references that gateways can read, and no others', () => {
  const texts = prefixes.flatMap((prefix) => [
    `vault://${prefix}`,
    ...names.flatMap((one) => [
      `vault://${prefix}/${one}`,
      `vault://${prefix}/${one}/`,
      ...names.map((other) => `vault://${prefix}/${one}/${other}`),
      ...names.map((other) => `vault://${prefix}/a/${other}/${one}/`),
    ]),
    ...[7, 8, 9, 10].flatMap((count) => [
      `vault://${prefix}${'/a'.repeat(count)}`,
      `vault://${prefix}${'/a'.repeat(count)}/`,
    ]),
  ]);
  expect(texts.filter((text) => isWellFormedReference(text) !== (parseReference(text) !== undefined))).toEqual([]);
  expect(texts.filter((text) => isWellFormedReference(text)).length).toBeGreaterThan(50);
  expect(texts.every(isSecretReference)).toBe(true);
});
