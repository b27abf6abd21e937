import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundle, packageFolder } from './bundle.ts';
import { notices } from './notices.ts';

// A step of `pnpm build`: what is published names the packages that it holds.
const { metafile } = await bundle();
writeFileSync(path.join(packageFolder, 'dist', 'THIRD-PARTY-NOTICES.txt'), notices(metafile));
