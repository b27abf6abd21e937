import { pathLengthMax, zipFiles } from './archive/zip-files.ts';
import { buildModel } from './build/build-model.ts';
import type { SdkProblem, SdkWarning } from './build/findings.ts';
import { sdkLimits } from './build/limits.ts';
import { filesWithin, hasTooMuchText } from './library-size.ts';
import { kebabCase } from './names/casing.ts';
import { wordsOf } from './names/words.ts';
import { packageVersionOf } from './package-version.ts';
import { licenceFile } from './source-text/code-licence.ts';
import { generatorVersion } from './release.ts';
import type { SdkFile } from './target.ts';
import { sdkTargets, targets, type SdkTargetName } from './targets/index.ts';

/** What a library is made for. */
export interface SdkOptions {
  readonly target: SdkTargetName;
  /** Of the library. Made of the API's title where it is not given. */
  readonly packageName?: string | undefined;
  /** Where the API is found. A relative server of the description is joined to it. */
  readonly baseUrl?: string | undefined;
}

/** A client library as an archive. */
export interface Sdk {
  readonly fileName: string;
  readonly mediaType: 'application/zip';
  readonly bytes: Uint8Array;
  readonly target: SdkTargetName;
  readonly packageName: string;
  readonly packageVersion: string;
  readonly generatorVersion: string;
  /** What the library does not have as the description says it. */
  readonly warnings: readonly SdkWarning[];
}

/** A library, or all that is in the way, up to a bound. */
export type SdkGeneration =
  | { readonly ok: true; readonly sdk: Sdk }
  | { readonly ok: false; readonly problems: readonly SdkProblem[] };

/** Characters of the API's name in the name of a file. */
const slugLengthMax = 40;

/**
 * Makes a client library of an OpenAPI description that nobody vouches for. The same document and options give the same bytes.
 * Nothing throws, whatever the document.
 */
export function generateSdk(document: unknown, { target: name, packageName, baseUrl }: SdkOptions): SdkGeneration {
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (target === undefined) return refused('sdk_target', `the target must be one of ${sdkTargets.join(', ')}`);
  const building = buildModel(document, baseUrl);
  if (!building.ok) return building;
  const { model, warnings } = building;
  const chosen = packageName ?? target.packageName.suggest(model);
  if (!target.packageName.pattern.test(chosen))
    return refused('sdk_package_name', `the package name ${target.packageName.rule}`);
  const packageVersion = packageVersionOf(model.version);
  const options = { packageName: chosen, packageVersion, generatorVersion };
  const files = hasTooMuchText(model)
    ? undefined
    : filesWithin(withLicence(target.generate(model, options)), sdkLimits.filesLengthMax);
  if (files === undefined) {
    return refused('sdk_too_large', `the library would have more than ${sdkLimits.filesLengthMax} characters`);
  }
  const slug = kebabCase(wordsOf(model.title)).slice(0, slugLengthMax).replace(/-+$/, '');
  const folder = `${slug}-${name}-${packageVersion}`;
  if (files.some(({ path }) => folder.length + 1 + path.length > pathLengthMax)) {
    const rule = `is too long for the names of this API: a path in an archive has at most ${pathLengthMax} characters`;
    return refused('sdk_package_name', `the package name ${rule}`);
  }
  return {
    ok: true,
    sdk: {
      fileName: `${folder}.zip`,
      mediaType: 'application/zip',
      bytes: zipFiles(folder, files),
      target: name,
      packageName: chosen,
      packageVersion,
      generatorVersion,
      warnings,
    },
  };
}

function* withLicence(files: Iterable<SdkFile>): Generator<SdkFile, void> {
  yield licenceFile;
  yield* files;
}

function refused(code: SdkProblem['code'], message: string): SdkGeneration {
  return { ok: false, problems: [{ pointer: '', code, message }] };
}
