/** How vectors are searched: as Atlas and MongoDB 8 do, or as DocumentDB does. */
export type VectorForm = 'atlas' | 'document_db';

/** What a search of vectors is told. */
export interface VectorStage {
  readonly form: VectorForm;
  readonly indexName: string;
  readonly path: string;
  readonly vector: readonly number[];
  readonly candidatesMax: number;
  readonly limit: number;
  /** What all that is found has to have: fields of the index's filters, in the form of Atlas. */
  readonly filter: object;
}

/**
 * The first stages of a pipeline that searches vectors. Atlas filters within the search; DocumentDB searches first, so that all candidates are
 * looked through, and those of others left out after it.
 * Source: MongoDB, `$vectorSearch`; Amazon DocumentDB, vector search.
 */
export function vectorStages(stage: VectorStage): readonly object[] {
  const { form, indexName: index, path, vector, candidatesMax, limit, filter } = stage;
  if (form === 'atlas') {
    const search = { index, path, queryVector: vector, numCandidates: candidatesMax, limit, filter };
    return [{ $vectorSearch: search }];
  }
  const vectorSearch = { vector, path, similarity: 'cosine', k: candidatesMax };
  return [{ $search: { vectorSearch } }, { $match: filter }, { $limit: limit }];
}

/** Lists the vector index of a name, in Atlas: it answers a search by an index that is missing with nothing found. */
export function indexStages(indexName: string): readonly object[] {
  return [{ $listSearchIndexes: { name: indexName } }];
}

/** Whether what {@link indexStages} brought serves vectors of these dimensions at this path, and has the fields to filter by. */
export function servesVectors(
  indexes: readonly Readonly<Record<string, unknown>>[],
  wanted: { readonly path: string; readonly dimensions: number; readonly filters: readonly string[] },
): boolean {
  return indexes.some(({ queryable, latestDefinition }) => {
    const fields = queryable === true ? fieldsOf(latestDefinition) : [];
    const isThere = (type: string, path: string): boolean =>
      fields.some((field) => field['type'] === type && field['path'] === path);
    const hasVectors = fields.some(
      ({ type, path, numDimensions }) =>
        type === 'vector' && path === wanted.path && Number(numDimensions) === wanted.dimensions,
    );
    return hasVectors && wanted.filters.every((path) => isThere('filter', path));
  });
}

function fieldsOf(definition: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof definition !== 'object' || definition === null || !('fields' in definition)) return [];
  const { fields } = definition;
  return Array.isArray(fields) ? fields.filter((field) => typeof field === 'object' && field !== null) : [];
}
