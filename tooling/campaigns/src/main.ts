/**
 * `pnpm campaign [name] [options]`: runs one campaign, which ends with one line of JSON; without a name it lists them.
 */
import { auditKills } from './audit-kills/audit-kills.ts';
import { CampaignFailure, OptionError } from './campaign.ts';
import type { Campaign } from './campaign.ts';
import { configBundles } from './config-bundles/config-bundles.ts';
import { configFaults } from './config-faults/config-faults.ts';
import { configKills } from './config-kills/config-kills.ts';
import { pluginSoak } from './plugin-soak/plugin-soak.ts';
import { powerCuts } from './power-cuts/power-cuts.ts';
import { removedRules } from './removed-rules/removed-rules.ts';
import { sdkDescriptions } from './sdk-descriptions/sdk-descriptions.ts';
import { rotationKills } from './rotation-kills/rotation-kills.ts';

const campaigns: readonly Campaign[] = [
  configKills,
  configFaults,
  configBundles,
  auditKills,
  powerCuts,
  pluginSoak,
  removedRules,
  sdkDescriptions,
  rotationKills,
];

const [name, ...rest] = process.argv.slice(2).filter((arg) => arg !== '--');
const campaign = campaigns.find((one) => one.name === name);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

if (campaign === undefined) {
  if (name !== undefined) console.error(`There is no campaign named ${name}.\n`);
  const list = campaigns.map((one) => `  ${one.name}  ${one.summary}\n${one.options}`).join('\n\n');
  console.log(`pnpm campaign NAME [options]\n\n${list}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  await runToEnd(campaign);
}

async function runToEnd(chosen: Campaign): Promise<void> {
  const startMs = performance.now();
  const seconds = (): number => Math.round((performance.now() - startMs) / 1000);
  try {
    const figures = await chosen.run(rest);
    console.log(JSON.stringify({ campaign: chosen.name, ok: true, figures, seconds: seconds() }));
  } catch (error) {
    if (error instanceof OptionError) {
      console.error(error.message);
      process.exitCode = 2;
      return;
    }
    console.error(error instanceof Error ? (error.stack ?? error.message) : error);
    const repeat = error instanceof CampaignFailure ? `npm run campaign ${error.repeat.replace(' ', ' -- ')}` : null;
    console.log(JSON.stringify({ campaign: chosen.name, ok: false, repeat, seconds: seconds() }));
    process.exitCode = 1;
  }
}
