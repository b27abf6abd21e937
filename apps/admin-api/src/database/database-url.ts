import { DatabaseConfigurationError } from './database-errors.ts';

/** Where the data is. */
export type DatabaseAddress =
  | { readonly dialect: 'sqlite'; readonly path: string }
  | { readonly dialect: 'postgres'; readonly url: string };

/**
 * Reads `sqlite:PATH` (also `sqlite://PATH`) or `postgres://…`.
 * @throws DatabaseConfigurationError which never repeats the address: it may hold a password
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  if (/^postgres(ql)?:\/\//.test(url)) return { dialect: 'postgres', url };
  if (!url.startsWith('sqlite:')) {
    throw new DatabaseConfigurationError('the database address must begin with sqlite: or postgres://');
  }
  const path = url.slice('sqlite:'.length).replace(/^\/\//, '');
  if (path === '' || path.includes(':memory:')) {
    throw new DatabaseConfigurationError(
      'sqlite: needs the path of a file; a database in memory cannot be shared by threads',
    );
  }
  return { dialect: 'sqlite', path };
}
