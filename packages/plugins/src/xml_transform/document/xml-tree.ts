/** An attribute. Its place in the source begins with the white space before it. */
export interface XmlAttribute {
  name: string;
  readonly start: number;
  readonly end: number;
  /** As it is written, references and all. */
  readonly rawValue: string;
  /** The text that takes its place; `undefined` while it stands as it was written. */
  value: string | undefined;
  isRemoved: boolean;
  isRenamed: boolean;
}

/**
 * An element, and what edits made of it. What nobody touched is written from the source, byte for byte: so an edit costs what it touches,
 * and spaces, comments, CDATA and quotes around it stay as they are.
 */
export interface XmlElement {
  name: string;
  readonly parent: XmlElement | undefined;
  readonly attributes: XmlAttribute[];
  /** Elements only, in the order of the source; what edits add comes last. */
  children: XmlElement[];
  /** Where it stands in the source; `undefined` for one that an edit made. */
  readonly place: XmlPlace | undefined;
  /** The text that takes the place of all that the source has in it. */
  content: string | undefined;
  isRemoved: boolean;
  /** Whether its start tag is written anew. */
  isTagChanged: boolean;
  /** Whether anything in it is. */
  isChanged: boolean;
}

/** Offsets of an element in the source, in UTF-16 units. */
export interface XmlPlace {
  readonly start: number;
  /** Where the start tag is over but for `>` or `/>`. */
  readonly headEnd: number;
  /** Of what is between the tags; both are equal for an empty-element tag. */
  readonly contentStart: number;
  readonly contentEnd: number;
  readonly end: number;
}

/** A document that was read. */
export interface XmlDocument {
  readonly source: string;
  /** Where the XML declaration ends; 0 where there is none. */
  readonly declarationEnd: number;
  readonly root: XmlElement;
}

/** Says that something in an element is written anew: then something in all around it is. */
export function touch(element: XmlElement): void {
  for (let at: XmlElement | undefined = element; at !== undefined && !at.isChanged; at = at.parent) at.isChanged = true;
}

/** An element that an edit makes, last in its parent. */
export function appendElement(parent: XmlElement, name: string): XmlElement {
  const made: XmlElement = {
    name,
    parent,
    attributes: [],
    children: [],
    place: undefined,
    content: undefined,
    isRemoved: false,
    isTagChanged: true,
    isChanged: true,
  };
  parent.children.push(made);
  touch(parent);
  return made;
}

/** The attribute of a name, as it is written. */
export function attributeOf(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find((attribute) => !attribute.isRemoved && attribute.name === name);
}
