// `npm start` over stand-in apps: the same code from the settings on, with nothing to install or build.
import { runEntry } from '../../run-entry.mjs';
import { startUp } from '../start-up.mjs';

const root = process.argv[2] ?? '';
const bring = () =>
  Promise.resolve({ node: process.execPath, build: () => Promise.resolve({ ok: true, output: '' }) });
await runEntry(() => startUp({ root, env: process.env, say: (line) => console.log(line) }, bring));
