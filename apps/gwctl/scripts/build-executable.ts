import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, packageFolder } from './bundle.ts';
import { notices } from './notices.ts';

/**
 * `pnpm --filter @portcullis/gwctl build:executable [FOLDER]`: gwctl as one file for this operating system and processor, which
 * needs no Node. It is the Node that runs this script, with gwctl inside ("single executable application").
 */
const folder = path.resolve(process.argv[2] ?? path.join(packageFolder, 'executable'));
const executable = path.join(folder, `gwctl-${process.platform}-${process.arch}`);
const draft = { main: `${executable}.cjs`, config: `${executable}.json`, blob: `${executable}.blob` };

mkdirSync(folder, { recursive: true });
const { text, metafile } = await bundle();
writeFileSync(draft.main, text);
const config = { main: draft.main, output: draft.blob, disableExperimentalSEAWarning: true, useCodeCache: true };
writeFileSync(draft.config, JSON.stringify(config));
execFileSync(process.execPath, ['--experimental-sea-config', draft.config], { stdio: ['ignore', 'ignore', 'inherit'] });
copyFileSync(process.execPath, executable);
chmodSync(executable, 0o755);
// The mark that Node looks for in itself. Source: nodejs.org, Single executable applications.
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const postject = path.join(packageFolder, 'node_modules', '.bin', 'postject');
execFileSync(postject, [executable, 'NODE_SEA_BLOB', draft.blob, '--sentinel-fuse', fuse], { stdio: 'pipe' });
for (const file of Object.values(draft)) rmSync(file);
writeFileSync(path.join(folder, 'THIRD-PARTY-NOTICES.txt'), notices(metafile));

// What does not start must not be handed out.
const release = execFileSync(executable, ['--version'], { env: {}, encoding: 'utf8' }).trim();
process.stdout.write(`${path.relative(process.cwd(), executable)} (release ${release})\n`);
