import type { Words } from './words.ts';

/** How a language writes a name of several words. A name that would begin with a digit gets a letter or an underscore in front. */
export type Casing = (words: Words) => string;

/** `petId` */
export const camelCase: Casing = (words) => {
  const [first = '', ...rest] = words;
  return withLetter([first, ...rest.map(capitalised)].join(''), 'n');
};

/** `PetId` */
export const pascalCase: Casing = (words) => withLetter(words.map(capitalised).join(''), 'N');

/** `pet_id` */
export const snakeCase: Casing = (words) => withLetter(words.join('_'), 'n_');

/** `PET_ID` */
export const constantCase: Casing = (words) => withLetter(words.join('_').toUpperCase(), 'N_');

/** `pet-id` */
export const kebabCase: Casing = (words) => words.join('-');

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function withLetter(name: string, letter: string): string {
  return /^\d/.test(name) ? letter + name : name;
}
