/**
 * A type where it is used.
 *
 * - `integer` fits into 64 bits with a sign, or into 32 where `bits` says so.
 * - `date` is `YYYY-MM-DD`, `dateTime` RFC 3339; both travel as text.
 * - `bytes` is Base64 in a JSON text. `binary` is raw, and found only as a whole body or answer and as a field of a form.
 * - `any` is any JSON value, null included.
 * - `named` leads to a `NamedType` by its `id`; types may lead to themselves through it, and through nothing else.
 * - `nullable` is never directly inside of another one, and never around `any`.
 */
export type TypeRef =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'date' | 'dateTime' | 'bytes' | 'binary' | 'any' }
  | { readonly kind: 'integer'; readonly bits: 32 | 64 }
  | { readonly kind: 'list'; readonly items: TypeRef }
  | { readonly kind: 'map'; readonly values: TypeRef }
  | { readonly kind: 'named'; readonly id: string }
  | { readonly kind: 'nullable'; readonly type: TypeRef };
