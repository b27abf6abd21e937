/**
 * Runs the checks and, unless `--static` is given, all tests; prints one summary line at the very end. Started by
 * tooling/bootstrap, which has built before; `--build-failed` says that this did not work.
 */
import { fileURLToPath } from 'node:url';
import { CHECKS, type Check } from './checks.ts';
import { sumOf, summaryLine, type Outcome } from './tests/outcome.ts';
import { runTests } from './tests/run-tests.ts';
import { skipReasons } from './tests/skip-reasons.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const built = !process.argv.includes('--build-failed');
const withTests = !process.argv.includes('--static');

const outcomes: Outcome[] = [{ passed: built ? 1 : 0, failed: built ? 0 : 1, skipped: 0 }];
const remarks: string[] = [];
if (!built) console.log('✗ build (its output is above)');

for (const check of CHECKS) outcomes.push(await runCheck(check));
if (withTests) {
  const tests = await runTests(root, built ? [] : ['!e2e']);
  outcomes.push(tests);
  remarks.push(...skipReasons(tests.skippedNames, process.env));
  if (!built) {
    outcomes.push({ passed: 0, failed: 0, skipped: 1 });
    remarks.push('skipped: the end-to-end tests, because the build failed');
  }
}

const sum = sumOf(outcomes);
for (const remark of remarks) console.log(remark);
console.log(summaryLine(sum));
process.exitCode = sum.failed === 0 ? 0 : 1;

async function runCheck(check: Check): Promise<Outcome> {
  if (check.needsBuild && !built) {
    remarks.push(`skipped: ${check.name}, because the build failed`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const startMs = performance.now();
  const problems = await check.run(root).catch((error: unknown) => `the check itself broke: ${String(error)}`);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${problems === '' ? '✓' : '✗'} ${check.name} (${seconds} s)`);
  if (problems === '') return { passed: 1, failed: 0, skipped: 0 };
  console.log(`${problems.replaceAll(/^/gm, '  ')}\n`);
  return { passed: 0, failed: 1, skipped: 0 };
}
