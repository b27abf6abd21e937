// The entry of `npm start`. Everything that an old Node could not even parse is behind the second import.
import './oldest-node.mjs';

const { commandContext, runEntry } = await import('./run-entry.mjs');
const { startUp } = await import('./run/start-up.mjs');

await runEntry(() => startUp(commandContext()));
