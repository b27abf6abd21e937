/** Says per missing service how many tests it would have run; tests skipped for another reason are named one by one. */
export function skipReasons(
  skippedNames: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const counts = new Map<string, number>();
  const others: string[] = [];
  for (const name of skippedNames) {
    const variable = /PORTCULLIS_TEST_[A-Z_]+/.exec(name)?.[0];
    if (variable === undefined) others.push(`skipped: ${name}`);
    else counts.set(variable, (counts.get(variable) ?? 0) + 1);
  }
  const services = [...counts].map(([variable, count]) => {
    const state = (env[variable] ?? '') === '' ? 'is not set' : 'is set, but they were skipped all the same';
    return `skipped: ${count} ${count === 1 ? 'test' : 'tests'} for ${variable}, which ${state}`;
  });
  return [...services, ...others];
}
