// The entry of `npm run generate`. Everything that an old Node could not even parse is behind the second import.
import './oldest-node.mjs';

const { commandContext, runEntry } = await import('./run-entry.mjs');
const { generateAll } = await import('./generate-all.mjs');

await runEntry(() => generateAll(commandContext()));
