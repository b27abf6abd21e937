import type { Words } from '../names/words.ts';

/**
 * How a client shows who it is. `bearer` is a token in `Authorization` (HTTP bearer, OAuth 2 and OpenID Connect alike), `basic` a name
 * and a password there, `apiKey` a key in a header, a query parameter or a cookie. Other schemes of a description are left out, with a
 * warning.
 */
export type SecurityScheme =
  | { readonly kind: 'bearer' | 'basic'; readonly key: string; readonly words: Words }
  | {
      readonly kind: 'apiKey';
      readonly key: string;
      readonly words: Words;
      readonly place: 'header' | 'query' | 'cookie';
      /** Of the header, the parameter or the cookie. */
      readonly name: string;
    };
