import type { Campaign, Figures } from '../campaign.ts';
import { Worlds } from '../control-plane/worlds.ts';
import { optionHelp, parseOptions } from '../options.ts';
import { runRounds } from '../run-rounds.ts';
import { auditKillRound } from './audit-kill-round.ts';
import type { AuditKill } from './audit-kill-round.ts';

/** On both databases in turn: four of five rounds are for SQLite when they are run apart, as the goal says. */
const defaults = { rounds: 250, operations: [] };

/** The log that is verified after each kill grows with the rounds. */
const roundsPerDatabase = 25;

/** Kills the control plane during audited writes. Source: reliability, goals 1 and 5. */
export const auditKills: Campaign = {
  name: 'audit-kills',
  summary:
    'SIGKILL at a random moment of mixed writes: each write has its record, each record its write, and the log is whole',
  options: optionHelp(defaults),
  run,
};

async function run(args: readonly string[]): Promise<Figures> {
  const options = parseOptions(args, defaults);
  const kills: AuditKill[] = [];
  await using worlds = new Worlds(options.adminApi, roundsPerDatabase);
  const rounds = await runRounds(auditKills.name, options, async ({ index, database, random }) => {
    kills.push(await auditKillRound(await worlds.of(database), index, random));
  });
  const sum = (figure: (kill: AuditKill) => number): number => kills.reduce((total, kill) => total + figure(kill), 0);
  return {
    seed: options.seed,
    rounds,
    kills: kills.length,
    answered_writes: sum(({ answered }) => answered),
    records: sum(({ records }) => records),
    unchained_at_kill: sum(({ unchained }) => unchained),
    kills_with_unchained: kills.filter(({ unchained }) => unchained > 0).length,
    verified: sum(({ verified }) => verified),
  };
}
