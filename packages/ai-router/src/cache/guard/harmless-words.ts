/*
 * English words of the few changes that no question means another thing by. Each list is closed: what is not here makes two texts different ones, and a
 * word comes in only where no sentence can be found that it changes.
 */

/** Words that ask or bid when a text begins with them, with a capital or not. Without `may`, `will`, `mark`: those are names, too. */
export const starters: ReadonlySet<string> = new Set(
  [
    'what who whom whose which when where why how is are am was were does do did can could should would has have',
    'tell explain give list show describe compare summarize summarise write translate rewrite create generate suggest',
    'recommend convert calculate draft define continue',
  ].flatMap((words) => words.split(' ')),
);

/** Words that speak of wording: in such a text each letter may be what is asked about. */
export const wordingWords: ReadonlySet<string> = new Set(
  [
    'translate translation spell spelled spelling pronounce pronounced say says said saying mean means meaning meant',
    'word words letter letters phrase sentence sentences text quote write rewrite rephrase paraphrase proofread correct',
    'correction edit grammar noun verb adjective plural singular synonym synonyms antonym rhyme rhymes anagram',
    'palindrome syllable syllables character characters string strings regex regexp pattern operator symbol token tokens',
    'punctuation comma contraction apostrophe capitalize capitalise uppercase lowercase reverse repeat echo print type',
    'title song lyrics line poem define definition define read reads written form command code',
  ].flatMap((words) => words.split(' ')),
);

const auxiliary = 'is|are|was|were|do|does|did|can|could|should|would|has|have';
const asking = 'what|who|whom|whose|which|when|where|why|how';

/** What stands before a question and bids for the answer. Only where a word of {@link starters} follows. */
export const COURTESY: RegExp =
  /^(?:(?:hi|hello|hey)(?: there)?[,!.] {0,4})?(?:please,? {1,4}|(?:can|could|would|will) you please {1,4}|(?:can|could|would|will) you {1,4}(?=(?:tell me|explain) ))?/i;

/** `Tell me` before a question with at least two words more. */
export const TELLING: RegExp = new RegExp(
  String.raw`^(?:tell me|i (?:want|need|would like) to know|i'd like to know),? (?=(?:${asking})(?:'s)? \S+ \S)`,
  'i',
);

/** Courtesy at the end: after a comma, or as a sentence of its own. */
export const THANKS: RegExp = /(?:, | ?[?.!] )(?:please|pls|thanks|thank you|thanks a lot|many thanks)[.!?]?$/i;

/** Texts that ask by their order of words, so that their mark of interrogation says nothing new: `was great fun` is none. */
export const ASKS: RegExp = new RegExp(
  String.raw`^(?:how to |(?:what|how|when|where|why|who|whom|which) (?:${auxiliary})|who [a-z]+|(?:what|which) (?!an? )\w+ (?:${auxiliary})|how (?:many|much|tall|far|long|old|big|large|often|deep|high|fast|heavy|wide) |(?:${auxiliary}) (?:i|you|he|she|it|we|they)) ?\S`,
  'i',
);

/** Texts that bid: a full stop says nothing new. */
export const BIDS: RegExp =
  /^(?:tell|explain|give|list|show|describe|compare|summarize|summarise|suggest|recommend|convert) \S/;

/** Things that are done once, by who asks: of others `how do I` may ask about a habit or a state (`how do I look`), not a way. */
export const DOES_ONCE: RegExp =
  /^how (?:do I|can I|to) (?=(?:boil|cook|reset|cancel|install|uninstall|convert|delete|remove|enable|disable|fix|repair|update|upgrade|center|centre) \S)/;
