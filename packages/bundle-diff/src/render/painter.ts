/** What a part of a rendered text is about; who prints it knows what that looks like. */
export type TextStyle = 'green' | 'yellow' | 'red' | 'bold';

/** Colours a text, or leaves it alone: only who prints knows whether that is a terminal. */
export type Painter = (style: TextStyle, text: string) => string;

/** Leaves every text alone. */
export const plainPainter: Painter = (_style, text) => text;
