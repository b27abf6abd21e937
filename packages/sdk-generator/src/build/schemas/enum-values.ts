import type { SdkEnum } from '../../model/named-types.ts';
import { UniqueWords } from '../../names/unique-words.ts';
import { wordsOf, type Words } from '../../names/words.ts';
import { sdkLimits } from '../limits.ts';

type EnumValues = Pick<SdkEnum, 'base' | 'values'>;

/** Names of signs that are values by themselves. */
const signs: Readonly<Record<string, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'star',
  '/': 'slash',
  '<': 'less',
  '>': 'greater',
  '=': 'equal',
  '!': 'not',
  '&': 'and',
  '|': 'or',
  '%': 'percent',
  '.': 'dot',
  ',': 'comma',
  '#': 'hash',
  '@': 'at',
  '?': 'question',
  $: 'dollar',
  ' ': 'space',
};

/** Signs of a value that are named, at most. */
const signsMax = 4;

/**
 * The values of an enum.
 * @returns nothing where they are not all texts or all numbers that every language has exactly
 */
export function enumValues(listed: readonly unknown[]): EnumValues | undefined {
  const values = [...new Set(listed)].filter((value) => value !== null);
  const base = baseOf(values);
  if (base === undefined) return undefined;
  const unique = new UniqueWords();
  return {
    base,
    values: (values as readonly unknown[] as readonly (string | number)[]).map((value) => ({
      value,
      words: unique.take(wordsOfValue(value)),
    })),
  };
}

function baseOf(values: readonly unknown[]): SdkEnum['base'] | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === 'string')) {
    return values.every((value) => value.length <= sdkLimits.nameLengthMax && value.isWellFormed())
      ? 'string'
      : undefined;
  }
  if (!values.every((value) => typeof value === 'number' && Number.isFinite(value))) return undefined;
  if (values.every((value) => Number.isSafeInteger(value))) return 'integer';
  return 'number';
}

function wordsOfValue(value: string | number): Words {
  if (typeof value === 'number') return wordsOfNumber(value);
  if (value === '') return ['empty'];
  if (!/[\p{L}\p{N}]/u.test(value)) {
    const named = Array.from(value)
      .slice(0, signsMax)
      .map((sign) => signs[sign] ?? wordsOf(sign).join(''));
    return named.length === 0 ? ['value'] : named;
  }
  const sign = /^[-+](?=[\p{L}\p{N}])/u.exec(value)?.[0];
  return sign === undefined ? wordsOf(value) : [sign === '-' ? 'minus' : 'plus', ...wordsOf(value.slice(1))];
}

function wordsOfNumber(value: number): Words {
  const digits = String(Math.abs(value)).replace('.', ' point ').replace('e-', ' e minus ').replace('e+', ' e ');
  return [...(value < 0 || Object.is(value, -0) ? ['minus'] : []), ...digits.split(' ')];
}
