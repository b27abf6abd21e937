/** A configured address with a path below its own. Addresses have neither query nor fragment: their schema says so. */
export function below(base: string, path: string): string {
  return `${withoutSlash(base)}${path}`;
}

/** An address as metadata shows it: as the URL standard writes it, without slashes at its end. */
export function withoutSlash(base: string): string {
  return new URL(base).href.replace(/\/+$/, '');
}
