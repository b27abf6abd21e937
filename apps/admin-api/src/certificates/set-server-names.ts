import { Problem } from '../http/problem.ts';
import type { SessionRecords } from '../resources/family-behaviour.ts';
import type { StoredRecord } from '../store/resource-store.ts';

/**
 * Makes the SNI records of a certificate exactly the given ones. Those that are there already stay as they are. A name that
 * another certificate answers for is refused: nobody takes a name away by mistake.
 * @throws Problem `name_exists` with a pointer into `snis`
 */
export async function setServerNames(
  records: SessionRecords,
  certificate: StoredRecord,
  names: readonly string[],
): Promise<void> {
  const present = await records.referring('snis', 'certificate_id', certificate.id);
  const wanted = new Set(names);
  const leaving = present.filter(({ name }) => !wanted.has(name ?? ''));
  if (leaving.length > 0) await records.remove('snis', leaving);
  const known = new Set(present.map(({ name }) => name));
  for (const [index, name] of names.entries()) {
    if (known.has(name)) continue;
    try {
      await records.create('snis', certificate.gatewayId, { name, certificate_id: certificate.id });
    } catch (error) {
      throw error instanceof Problem ? placed(error, index) : error;
    }
  }
}

/** The same refusal, about the place in the certificate where the name stands. */
function placed(problem: Problem, index: number): Problem {
  const errors = problem.errors.map((error) => ({ ...error, pointer: `/snis/${index}` }));
  return new Problem(problem.code, problem.detail, { errors });
}
