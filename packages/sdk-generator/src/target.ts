import type { SdkModel } from './model/sdk-model.ts';

/** A file of a client library. */
export interface SdkFile {
  /** Relative, with slashes, of `[A-Za-z0-9._/-]`, without empty, `.` and `..` segments. */
  readonly path: string;
  /** Lines end in `\n`, the last one too. */
  readonly text: string;
}

/** What one library is made with. */
export interface TargetOptions {
  /** As `packageName` of the target takes it. */
  readonly packageName: string;
  /** Of the library itself, as its ecosystem writes versions (made of the API's version): `1.4.0`. */
  readonly packageVersion: string;
  /** Stands in the head of generated files. */
  readonly generatorVersion: string;
}

/**
 * A language that libraries are made for. One folder below `targets/` each; nothing else knows about it but the list in
 * `targets/index.ts`. One with a file for each type makes them as they are asked for, so that a library that is too large is not made.
 */
export interface SdkTarget<Files extends Iterable<SdkFile> = readonly SdkFile[]> {
  readonly packageName: {
    /** Which names of packages this ecosystem has. */
    readonly pattern: RegExp;
    /** The same in words, for whoever chose another: `must be a Go module path such as example.com/acme/petstore`. */
    readonly rule: string;
    /** A name made of the API's title, where the caller does not choose one. */
    readonly suggest: (model: SdkModel) => string;
  };
  /** The same model and options give the same files. Order does not matter: the archive is sorted. */
  readonly generate: (model: SdkModel, options: TargetOptions) => Files;
}
