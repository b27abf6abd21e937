import type { DescribedOperation } from '../isolation/described-operations.test-support.ts';

/** A query that is refused. */
export interface QueryCase {
  readonly title: string;
  /** As it stands in the address. */
  readonly query: string;
  readonly status: number;
  readonly code: string;
  readonly pointer?: string;
}

/** Everything that can be wrong with an operation's query, from the description of its parameters. */
export function queryCases(operation: DescribedOperation): QueryCase[] {
  const isWrite = operation.method !== 'GET';
  const cases = operation.queryParameters.flatMap(({ name, schema }) => {
    const invalid = (title: string, value: string): QueryCase => ({
      title: `${name} ${title}`,
      query: `${name}=${value}`,
      status: 422,
      code: 'validation_failed',
      pointer: `/${name}`,
    });
    const isList = schema['type'] === 'array';
    return [
      ...(isList
        ? []
        : [refused(`${name} twice`, `${name}=a&${name}=b`), refused(`${name} twice`, `${name}=&${name}=`)]),
      refused(`${name} with NUL`, `${name}=a%00b`),
      ...(schema['type'] === 'integer' ? integerCases(schema, invalid) : []),
      ...(schema['type'] === 'boolean' ? [invalid('that is neither', 'maybe'), invalid('as a number', '1')] : []),
      ...(Array.isArray(schema['enum']) ? [invalid('that is no choice', 'no-such-choice')] : []),
      ...(typeof schema['maxLength'] === 'number' ? [invalid('too long', 'x'.repeat(schema['maxLength'] + 1))] : []),
    ];
  });
  return isWrite ? [...cases, refused('an unknown one', 'zz_unknown=1'), refused('__proto__', '__proto__=1')] : cases;
}

function refused(title: string, query: string): QueryCase {
  return { title, query, status: 400, code: 'invalid_parameter' };
}

function integerCases(
  schema: Readonly<Record<string, unknown>>,
  invalid: (title: string, value: string) => QueryCase,
): QueryCase[] {
  const [minimum, maximum] = [schema['minimum'], schema['maximum']];
  return [
    ...['x', '1.5', '1e3', '', '%20', '0x10', '9'.repeat(40)].map((text) => invalid(`as "${text}"`, text)),
    ...(typeof minimum === 'number' ? [invalid('below its bound', String(minimum - 1))] : []),
    ...(typeof maximum === 'number' ? [invalid('above its bound', String(maximum + 1))] : []),
  ];
}
