/*
 * The databases that caches can be kept in. The ports have the shape of `DataStores` of `@portcullis/plugin-runtime`, so that a plugin passes
 * its own.
 */

/** Bounds of one call. */
export interface DataCall {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** PostgreSQL. */
export interface CacheSql {
  query(
    text: string,
    values: readonly unknown[],
    options: DataCall,
  ): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

/** A collection of MongoDB. */
export interface CacheCollection {
  aggregate(pipeline: readonly object[], options: DataCall): Promise<readonly Readonly<Record<string, unknown>>[]>;
  replace(document: { readonly _id: string } & object, options: DataCall): Promise<void>;
  remove(filter: object, options: DataCall): Promise<void>;
  ensureIndex(
    keys: Readonly<Record<string, 1 | -1>>,
    options: DataCall & { readonly expireAfterSeconds?: number },
  ): Promise<void>;
}

/** A database of MongoDB. */
export interface CacheDocuments {
  collection(name: string): CacheCollection;
}
