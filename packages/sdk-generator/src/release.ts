import manifest from '../package.json' with { type: 'json' };

/** The version of this generator: it stands in the head of what it makes. */
export const generatorVersion: string = manifest.version;
