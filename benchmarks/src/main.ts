/**
 * `pnpm bench [name] [options]`: runs one benchmark, which ends with one line of JSON; without a name it lists them.
 */
import { adminScenario } from './admin-api/admin-scenario.ts';
import { adminOptionHelp } from './admin-api/options.ts';
import { resultLine } from './figures/result-line.ts';
import { killChildren } from './machine/child.ts';
import { OptionError, optionHelp } from './proxy/bench-options.ts';
import { profileScenario } from './profile/profile-scenario.ts';
import { proxyScenario } from './proxy/proxy-scenario.ts';
import type { Scenario } from './scenario.ts';

const scenarios: readonly Scenario[] = [proxyScenario, profileScenario, adminScenario];

const [name, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
const scenario = scenarios.find((one) => one.name === name);

process.on('exit', killChildren);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

if (scenario === undefined) {
  if (name !== undefined) console.error(`There is no benchmark named ${name}.\n`);
  const list = scenarios.map((one) => `  ${one.name.padEnd(10)} ${one.summary}`).join('\n');
  console.log(
    `pnpm bench NAME [options]\n\n${list}\n\nOptions of proxy and profile:\n${optionHelp}\n\nOptions of admin-api:\n${adminOptionHelp}`,
  );
  process.exitCode = name === undefined ? 0 : 2;
} else {
  try {
    const result = await scenario.run(rest);
    console.log(resultLine(result));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = error instanceof OptionError ? 2 : 1;
  }
}
