import { SaxesParser } from 'saxes';
import { badInput } from '../../../core/errors.ts';

/** One element of a model file. Text between elements has no meaning in MJCF and URDF; it is kept only on request. */
export interface XmlElement {
  name: string;
  attributes: Map<string, string>;
  children: XmlElement[];
  /** text directly inside the element, if the text was read with `keepText` */
  text?: string;
  /** line of its opening tag, from 1 */
  readonly line: number;
}

const MAX_ELEMENTS = 200_000;
/** Maximum depth of elements. MuJoCo traverses bodies recursively on a small stack: 190 levels overwrote its memory
 *  without an error. */
export const MAX_DEPTH = 100;
/** Start and end marks of parts that have no meaning in a model: comments, instructions, CDATA. */
const ASIDES = new Map([
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
]);
/** Errors of saxes that are ignored. MuJoCo and ROS accept `<limit lower="0"upper="1"/>`, which XML forbids. */
const TOLERATED = new Set(['no whitespace between attributes.']);
/** Replacements for messages of saxes that do not explain what to change. */
const PLAINER = new Map([
  ['document must contain a root element.', 'the file contains no XML element'],
  ['text data outside of root node.', 'text outside of the root element'],
  ['disallowed character in tag name', '"<" is not followed by a tag. In a text or value write "&lt;".'],
  ['undefined entity.', 'this entity is not accepted. Write "&" as "&amp;".'],
  ['disallowed character in entity name.', 'this entity is not accepted. Write "&" as "&amp;".'],
  ['malformed character entity.', 'this character entity is not accepted'],
  ['disallowed character.', 'a value or text contains "<" or a control character. Write "<" as "&lt;".'],
  ['unexpected end.', 'the file ends inside a tag or value. Look for a missing quote or ">", or a "&" without its ";"'],
]);

/** Decodes an XML file: UTF-8, UTF-16 with a byte order mark, or the 8-bit encoding that the file declares. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(head)?.[1] ?? 'utf-8';
  return new TextDecoder(/^(iso-8859-|windows-125|latin1|us-ascii)/i.test(declared) ? declared : 'utf-8').decode(bytes);
}

/** Reads an XML text. Refuses declarations in a document type, and all entities except the five of XML and numeric
 *  ones. The text therefore cannot expand, and no other file is read.
 *  @param file name of the text in messages
 *  @param keepText keep the text inside elements
 *  @throws StudioError bad_input `robot.urdf line 7: <link>: …` */
export function parseXml(text: string, file: string, keepText = false): XmlElement {
  return new TreeReader(file, keepText).read(text);
}

/** Builds the tree of elements from the events of one text. */
class TreeReader {
  readonly #file: string;
  readonly #parser = new SaxesParser({ position: false });
  /** open elements, outermost first */
  readonly #open: XmlElement[] = [];
  #root: XmlElement | undefined;
  /** the element whose opening tag is being read */
  #tag: XmlElement | undefined;
  /** most recently closed element */
  #closed: XmlElement | undefined;
  #elements = 0;

  constructor(file: string, keepText: boolean) {
    this.#file = file;
    if (keepText) this.#parser.on('text', (text) => this.#keep(text));
    this.#parser.on('error', ({ message }) => this.#onError(message));
    this.#parser.on('doctype', (doctype) => {
      if (doctype.includes('[')) {
        this.#fail('a document type with declarations is not accepted. Remove <!DOCTYPE … [ … ]>.');
      }
    });
    this.#parser.on('opentagstart', ({ name }) => this.#begin(name));
    this.#parser.on('opentag', ({ attributes }) => this.#enter(Object.entries(attributes)));
    this.#parser.on('closetag', () => {
      this.#closed = this.#open.pop();
    });
  }

  read(text: string): XmlElement {
    this.#parser.write(blankAsides(text, this.#file)).close();
    return this.#root!; // saxes reports a text without a root element as an error
  }

  #begin(name: string): void {
    if (++this.#elements > MAX_ELEMENTS) this.#fail(`more than ${MAX_ELEMENTS} elements`);
    // saxes has already read the character after the name. Column 0 means that this character was a line break.
    const line = this.#parser.line - (this.#parser.columnIndex === 0 ? 1 : 0);
    this.#tag = { name, attributes: new Map(), children: [], line };
  }

  #keep(text: string): void {
    const element = this.#open.at(-1);
    if (element && /\S/.test(text)) element.text = (element.text ?? '') + text;
  }

  #enter(attributes: [string, string][]): void {
    const element = this.#tag!;
    element.attributes = new Map(attributes);
    this.#tag = undefined;
    this.#root ??= element;
    this.#open.at(-1)?.children.push(element);
    this.#open.push(element);
    if (this.#open.length > MAX_DEPTH) this.#fail(`elements are nested deeper than ${MAX_DEPTH} levels`);
  }

  #onError(message: string): void {
    if (TOLERATED.has(message)) return;
    if (message === 'unexpected close tag.') {
      const { name, line } = this.#closed!;
      this.#fail(`a closing tag was found, but </${name}> was expected: <${name}> of line ${line} is still open`);
    }
    const unclosed = this.#open.at(-1);
    if (message.startsWith('unclosed tag') && unclosed && !this.#tag) {
      this.#fail(`<${unclosed.name}> is never closed`, unclosed.line);
    }
    // saxes ends an entity at the next ";", which may be many lines below, so report the line of the element instead.
    const where = this.#tag ?? unclosed;
    const line = where && /entity|end|unclosed/.test(message) ? where.line : this.#parser.line;
    const problem = PLAINER.get(message.startsWith('unclosed tag') ? 'unexpected end.' : message);
    this.#fail(`${where ? `<${where.name}>: ` : ''}${problem ?? message.replace(/\.$/, '')}`, line);
  }

  #fail(problem: string, line = this.#parser.line): never {
    throw badInput(`${this.#file} line ${line}: ${problem}`);
  }
}

/** Removes comments, instructions and CDATA sections, but keeps their line breaks. saxes would refuse comments that
 *  contain "--", and an XML declaration below the first line. MuJoCo and ROS accept both. */
function blankAsides(text: string, file: string): string {
  const kept: string[] = [];
  let from = 0;
  const opener = /<!--|<\?|<!\[CDATA\[/g;
  for (let found = opener.exec(text); found; found = opener.exec(text)) {
    const [start] = found;
    const end = ASIDES.get(start)!;
    const stop = text.indexOf(end, opener.lastIndex);
    if (stop < 0) throw badInput(`${file} line ${breaksIn(text.slice(0, found.index)) + 1}: ${start} is never closed`);
    opener.lastIndex = stop + end.length;
    kept.push(text.slice(from, found.index), ' ', '\n'.repeat(breaksIn(text.slice(found.index, stop))));
    from = opener.lastIndex;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Formats an element as text. Puts each tag on its original line, as far as the order of elements allows, so that
 *  MuJoCo's messages name lines of the user's file. */
export function writeXml(root: XmlElement): string {
  const out: string[] = [];
  let line = 1;
  const write = (element: XmlElement) => {
    if (element.line > line) {
      out.push('\n'.repeat(element.line - line));
      line = element.line;
    }
    out.push('<', element.name);
    for (const [key, value] of element.attributes) out.push(' ', key, '="', quoted(value), '"');
    if (element.children.length === 0) {
      out.push('/>');
      return;
    }
    out.push('>');
    for (const child of element.children) write(child);
    out.push('</', element.name, '>');
  };
  write(root);
  return out.join('');
}

function quoted(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\r\n\t]/g, ' ');
}

/** Yields `root` and every element below it, parents first. */
export function* descendants(root: XmlElement): Generator<XmlElement> {
  const stack = [root];
  for (let element = stack.pop(); element; element = stack.pop()) {
    yield element;
    for (let k = element.children.length - 1; k >= 0; k--) stack.push(element.children[k]!);
  }
}
