import type { SdkModel } from '../../model/sdk-model.ts';
import { codeLicence } from '../../source-text/code-licence.ts';
import { plainLines } from '../../source-text/plain-text.ts';
import type { TargetOptions } from '../../target.ts';

/** `package.json` */
export function manifestText(model: SdkModel, { packageName, packageVersion }: TargetOptions): string {
  return jsonText({
    name: packageName,
    version: packageVersion,
    description: `Client of ${plainLines(model.title).join(' ')}`,
    license: codeLicence,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
    files: ['dist', 'src', 'LICENSE', 'README.md'],
    scripts: { build: 'tsc', prepack: 'npm run build' },
    engines: { node: '>=20' },
    devDependencies: { typescript: '>=5.7' },
  });
}

/** `tsconfig.json` */
export const tsconfigText: string = jsonText({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
});

/** JSON of ASCII alone, since a description may be full of what people do not see. */
function jsonText(value: object): string {
  const sign = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value, null, 2).replace(/[^\n\x20-\x7e]/g, sign)}\n`;
}
