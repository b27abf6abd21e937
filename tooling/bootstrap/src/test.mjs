// The entry of `npm test`. Everything that an old Node could not even parse is behind the second import.
import './oldest-node.mjs';

const { commandContext, runEntry } = await import('./run-entry.mjs');
const { runChecks } = await import('./run-checks.mjs');

await runEntry(() => runChecks(commandContext(), []));
