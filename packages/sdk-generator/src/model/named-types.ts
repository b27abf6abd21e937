import type { Words } from '../names/words.ts';
import type { TypeRef } from './type-refs.ts';

/** What all named types have. */
interface Named {
  /** Unique in the model. Only for finding the type: never printed. */
  readonly id: string;
  readonly words: Words;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
}

/** A field of an object. */
export interface SdkProperty {
  /** The name in the JSON text or the form: any text. */
  readonly wireName: string;
  /** Unique in the object, whatever the casing. */
  readonly words: Words;
  readonly type: TypeRef;
  /** Whether it must be there. `null` is another question: that is in the type. */
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly isDeprecated: boolean;
  /** Only in answers. */
  readonly isReadOnly: boolean;
  /** Only in requests. */
  readonly isWriteOnly: boolean;
  /** How it stands in a form; nothing in types that are JSON. */
  readonly part: FormPart | undefined;
}

/**
 * How a field stands in a form. A list of a `multipart` form is one part for each item. In a URL-encoded form `style` and `isExploded`
 * count as in a query; where `kind` is `json` the value is one JSON text in both. Files stand in `multipart` forms only.
 */
export interface FormPart {
  readonly kind: 'text' | 'json' | 'file';
  /** `form` but in URL-encoded forms, which have what queries have. */
  readonly style: 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject';
  /** Of the part. Nothing for text, and for a file whose type the caller knows. */
  readonly contentType: string | undefined;
  readonly isExploded: boolean;
}

/** An object with known fields, and others where `additional` has a type. */
export interface SdkObject extends Named {
  readonly kind: 'object';
  readonly properties: readonly SdkProperty[];
  /** Type of the fields beside the known ones; nothing where the schema does not ask for any. They are then skipped when read. */
  readonly additional: TypeRef | undefined;
  /** Whether it is the body of a form: then every property has a `part`, and it is never read from an answer. */
  readonly isForm: boolean;
}

/** One of known texts or numbers. A server may add values later: targets keep what they do not know. */
export interface SdkEnum extends Named {
  readonly kind: 'enum';
  readonly base: 'string' | 'integer' | 'number';
  /** The words of two values are never alike, whatever the casing. */
  readonly values: readonly { readonly value: string | number; readonly words: Words }[];
}

/** One of several types. At least two, none of them nullable, and none of them a union. */
export interface SdkUnion extends Named {
  readonly kind: 'union';
  readonly variants: readonly SdkVariant[];
  /** The field that tells which one it is. Then all variants are named objects, and each has tags. */
  readonly discriminator: string | undefined;
}

/** One type of a union. */
export interface SdkVariant {
  /** What it is called among the variants: unique, whatever the casing. */
  readonly words: Words;
  readonly type: TypeRef;
  /** Values of the discriminator that mean this one. Empty where there is no discriminator. */
  readonly tags: readonly string[];
}

/** A type that a description names, or that needs a name because languages want one. */
export type NamedType = SdkObject | SdkEnum | SdkUnion;
