/**
 * `pnpm bench [name] [options]`: runs one benchmark, which ends with one line of JSON; without a name it lists them.
 */
import { adminScenario } from './admin-api/admin-scenario.ts';
import { aiCacheScenario } from './ai-cache/ai-cache-scenario.ts';
import { aiScenario } from './ai/ai-scenario.ts';
import { auditScenario } from './audit/audit-scenario.ts';
import { configScenario } from './config/config-scenario.ts';
import { resultLine } from './figures/result-line.ts';
import { killChildren } from './machine/child.ts';
import { gatewayScenario, proxyScenario } from './gateway/gateway-scenario.ts';
import { OptionError } from './gateway/bench-options.ts';
import { runtimeScenario } from './plugin-runtime/runtime-scenario.ts';
import { pluginsScenario } from './plugins/plugins-scenario.ts';
import { guessTimesScenario } from './guess-times/guess-times-scenario.ts';
import { gwctlScenario } from './gwctl-start/gwctl-scenario.ts';
import { changesScenario } from './gateway-changes/changes-scenario.ts';
import { memoryScenario } from './gateway-memory/memory-scenario.ts';
import { routesScenario } from './gateway-routes/routes-scenario.ts';
import { overloadScenario } from './gateway-overload/overload-scenario.ts';
import { protocolsScenario } from './gateway-protocols/protocols-scenario.ts';
import { profileScenario } from './profile/profile-scenario.ts';
import { routerScenario } from './router/router-scenario.ts';
import type { Scenario } from './scenario.ts';
import { sdkScenario } from './sdk/sdk-scenario.ts';
import { sloScenario } from './slo/slo-scenario.ts';
import { sharedLimitsScenario } from './shared-limits/shared-limits-scenario.ts';

const scenarios: readonly Scenario[] = [
  gatewayScenario,
  proxyScenario,
  routesScenario,
  changesScenario,
  memoryScenario,
  overloadScenario,
  protocolsScenario,
  routerScenario,
  profileScenario,
  adminScenario,
  configScenario,
  auditScenario,
  aiScenario,
  aiCacheScenario,
  sloScenario,
  runtimeScenario,
  pluginsScenario,
  sharedLimitsScenario,
  guessTimesScenario,
  sdkScenario,
  gwctlScenario,
];

const nameWidth = Math.max(...scenarios.map((one) => one.name.length));

const [name, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
const scenario = scenarios.find((one) => one.name === name);

process.on('exit', killChildren);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

if (scenario === undefined) {
  if (name !== undefined) console.error(`There is no benchmark named ${name}.\n`);
  const list = scenarios.map((one) => `  ${one.name.padEnd(nameWidth)}  ${one.summary}\n${one.options}`).join('\n\n');
  console.log(`pnpm bench NAME [options]\n\n${list}`);
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
