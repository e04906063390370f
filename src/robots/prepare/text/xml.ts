import { badInput } from '../../../core/errors.ts';

/** One element of a model file. Text between elements has no meaning in MJCF and URDF and is not kept. */
export interface XmlElement {
  name: string;
  attributes: Map<string, string>;
  children: XmlElement[];
  /** 1-based line of its opening tag */
  readonly line: number;
}

const MAX_ELEMENTS = 200_000;
/** MuJoCo walks bodies by recursion on a small stack: 190 levels have been seen to overwrite its memory unnoticed. */
export const MAX_DEPTH = 100;
const NAMED = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);
const NAME = /[\p{L}_:][\p{L}\p{N}_:.-]*/uy;
const SPACE = /[ \t\r\n]*/y;
const ATTRIBUTE = /([\p{L}_:][\p{L}\p{N}_:.-]*)[ \t\r\n]*=[ \t\r\n]*("[^"<]*"|'[^'<]*')/uy;

/** Bytes of an XML file as text: UTF-8, UTF-16 with a byte order mark, or the 8-bit encoding that the file declares. */
export function decodeXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/i.exec(head)?.[1] ?? 'utf-8';
  return new TextDecoder(/^(iso-8859-|windows-125|latin1|us-ascii)/i.test(declared) ? declared : 'utf-8').decode(bytes);
}

/** Reads an XML text. Entities beyond the five of XML and numeric ones are refused and a document type is never acted
 *  upon, so nothing expands and nothing outside is read.
 *  @param file what messages call the text  @throws StudioError bad_input `robot.urdf line 7: …` */
export function parseXml(text: string, file: string): XmlElement {
  return new Parser(text, file).document();
}

class Parser {
  private at = 0;
  private line = 1;
  private counted = 0;
  private elements = 0;

  private readonly text: string;
  private readonly file: string;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  document(): XmlElement {
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1;
    const open: XmlElement[] = [];
    let root: XmlElement | null = null;
    for (;;) {
      const next = this.text.indexOf('<', this.at);
      if (next < 0) break;
      const between = this.text.slice(this.at, next);
      if (open.length === 0 && between.trim() !== '') this.fail('text outside of the root element', this.at);
      this.at = next;
      if (this.skipAside()) continue;
      if (this.text.startsWith('</', next)) {
        this.close(open);
        continue;
      }
      const { element, empty } = this.open();
      const parent = open.at(-1);
      if (parent) parent.children.push(element);
      else if (root) this.fail(`a second root element <${element.name}>`);
      else root = element;
      if (empty) continue;
      open.push(element);
      if (open.length > MAX_DEPTH) this.fail(`elements are nested deeper than ${MAX_DEPTH} levels`);
    }
    const unclosed = open.at(-1);
    if (unclosed) throw badInput(`${this.file} line ${unclosed.line}: <${unclosed.name}> is never closed`);
    if (!root) this.fail('holds no XML element');
    if (this.text.slice(this.at).trim() !== '') this.fail('text outside of the root element');
    return root;
  }

  /** Comment, instruction, CDATA or document type. */
  private skipAside(): boolean {
    for (const [start, end] of [
      ['<!--', '-->'],
      ['<?', '?>'],
      ['<![CDATA[', ']]>'],
    ] as const) {
      if (!this.text.startsWith(start, this.at)) continue;
      const stop = this.text.indexOf(end, this.at + start.length);
      if (stop < 0) this.fail(`${start} is never closed`);
      this.at = stop + end.length;
      return true;
    }
    if (!this.text.startsWith('<!', this.at)) return false;
    const stop = this.text.indexOf('>', this.at);
    if (stop < 0 || this.text.slice(this.at, stop).includes('[')) {
      this.fail('a document type with declarations is not accepted, remove <!DOCTYPE … [ … ]>');
    }
    this.at = stop + 1;
    return true;
  }

  private open(): { element: XmlElement; empty: boolean } {
    if (++this.elements > MAX_ELEMENTS) this.fail(`more than ${MAX_ELEMENTS} elements`);
    const line = this.lineAt(this.at);
    this.at++;
    const name = this.name();
    const attributes = new Map<string, string>();
    for (;;) {
      this.space();
      if (this.text.startsWith('/>', this.at)) {
        this.at += 2;
        return { element: { name, attributes, children: [], line }, empty: true };
      }
      if (this.text[this.at] === '>') {
        this.at++;
        return { element: { name, attributes, children: [], line }, empty: false };
      }
      ATTRIBUTE.lastIndex = this.at;
      const found = ATTRIBUTE.exec(this.text);
      if (!found) this.fail(`<${name}> is not well formed`);
      const [whole, key, quoted] = found as unknown as [string, string, string];
      if (attributes.has(key)) this.fail(`<${name}> has two attributes ${key}`);
      attributes.set(key, this.unescape(quoted.slice(1, -1)));
      this.at += whole.length;
    }
  }

  private close(open: XmlElement[]): void {
    this.at += 2;
    const name = this.name();
    this.space();
    if (this.text[this.at] !== '>') this.fail(`</${name} is not well formed`);
    const element = open.pop();
    if (element?.name !== name) {
      const expected = element ? `<${element.name}> of line ${element.line} is open` : 'nothing is open';
      this.fail(`</${name}> closes nothing, ${expected}`);
    }
    this.at++;
  }

  private name(): string {
    NAME.lastIndex = this.at;
    const name = NAME.exec(this.text)?.[0];
    if (!name) this.fail('"<" begins no element');
    this.at += name.length;
    return name;
  }

  private space(): void {
    SPACE.lastIndex = this.at;
    this.at += SPACE.exec(this.text)?.[0].length ?? 0;
  }

  private unescape(text: string): string {
    if (!text.includes('&')) return text;
    return text.replace(/&([^;&]*);?/g, (whole, entity: string) => {
      const character = NAMED.get(entity) ?? fromCode(entity);
      if (character === undefined || !whole.endsWith(';')) this.fail(`entity ${whole.slice(0, 40)} is not accepted`);
      return character;
    });
  }

  private lineAt(position: number): number {
    for (; this.counted < position; this.counted++) if (this.text.charCodeAt(this.counted) === 10) this.line++;
    return this.line;
  }

  private fail(problem: string, position = this.at): never {
    throw badInput(`${this.file} line ${this.lineAt(position)}: ${problem}`);
  }
}

function fromCode(entity: string): string | undefined {
  const code = /^#x[0-9a-f]{1,6}$/i.test(entity)
    ? Number.parseInt(entity.slice(2), 16)
    : /^#\d{1,7}$/.test(entity)
      ? Number(entity.slice(1))
      : Number.NaN;
  return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The element as text. Each tag stands on the line it was read from as far as the order allows, so that MuJoCo's
 *  messages name lines of the user's file. */
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

/** Every element below `root`, itself included, parents first. */
export function* descendants(root: XmlElement): Generator<XmlElement> {
  const stack = [root];
  for (let element = stack.pop(); element; element = stack.pop()) {
    yield element;
    for (let k = element.children.length - 1; k >= 0; k--) stack.push(element.children[k]!);
  }
}
