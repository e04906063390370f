import path from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../src/core/escape-html.ts';

/** A part of a page for the search: the text below one heading. */
export interface SearchEntry {
  /** address relative to the site */
  readonly url: string;
  /** title of the page */
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export interface Heading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** End of the name of a picture of the light page. */
const LIGHT = /-light\.(?=webp$)/;

/** A document as HTML. */
export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly search: readonly SearchEntry[];
}

export interface RenderOptions {
  /** path of the document in the repository */
  readonly file: string;
  /** address of the page relative to the site */
  readonly url: string;
  readonly markdown: string;
  /** Returns the address of a file of the repository relative to the site; null if the site lacks it. */
  readonly addressOf: (file: string) => string | null;
  /** Returns the text of a script that the page shows in full; null for other files. */
  readonly scriptOf: (file: string) => string | null;
}

/** Renders a document. Links between documents become links between pages; a link to a file that the site lacks becomes
 *  text. A paragraph that consists of a link to a script shows the script. A picture `x-light.webp` is replaced by
 *  `x-dark.webp` in a dark page. */
export function renderDocument(options: RenderOptions): Rendered {
  return new DocumentRenderer(options).rendered();
}

class DocumentRenderer {
  readonly #options: RenderOptions;
  readonly #marked: Marked;
  readonly #headings: Heading[] = [];
  readonly #search: SearchEntry[] = [];

  constructor(options: RenderOptions) {
    this.#options = options;
    const self = this;
    this.#marked = new Marked({
      renderer: {
        heading(token) {
          return self.#heading(token, this.parser.parseInline(token.tokens));
        },
        link(token) {
          return self.#link(token, this.parser.parseInline(token.tokens));
        },
        image(token) {
          return self.#image(token);
        },
        paragraph({ tokens }) {
          const [only, ...more] = tokens;
          const script = only?.type === 'link' && more.length === 0 ? self.#script(only as Tokens.Link) : null;
          return script ?? `<p>${this.parser.parseInline(tokens)}</p>\n`;
        },
        table(token) {
          const cell = (one: Tokens.TableCell, name: string) =>
            `<${name}>${this.parser.parseInline(one.tokens)}</${name}>`;
          const head = token.header.map((one) => cell(one, 'th')).join('');
          const rows = token.rows.map((row) => `<tr>${row.map((one) => cell(one, 'td')).join('')}</tr>`).join('');
          return `<div class="table"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>\n`;
        },
      },
    });
  }

  rendered(): Rendered {
    const { markdown, file } = this.#options;
    const tokens = this.#marked.lexer(markdown);
    const first = tokens.find((token) => token.type === 'heading') as Tokens.Heading | undefined;
    if (!first) throw new Error(`${file}: no heading`);
    const title = plainText(first.tokens);
    const html = this.#marked.parser(tokens);
    this.#index(tokens, title);
    return { title, html, headings: this.#headings, search: this.#search };
  }

  #heading({ tokens, depth }: Tokens.Heading, html: string): string {
    const text = plainText(tokens);
    const base = slugOf(text);
    const same = this.#headings.filter(({ id }) => id === base || id.startsWith(`${base}-`)).length;
    const id = same === 0 ? base : `${base}-${same}`;
    this.#headings.push({ id, text, depth });
    return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
  }

  #link({ href }: Tokens.Link, html: string): string {
    const address = this.#addressOf(href);
    return address === null ? html : `<a href="${escapeHtml(address)}">${html}</a>`;
  }

  /** Returns the text of the script to which a link refers; null for other links. */
  #script({ href }: Tokens.Link): string | null {
    const { file, scriptOf } = this.#options;
    const text = scriptOf(fileOf(file, href));
    const address = this.#addressOf(href);
    if (text === null || address === null) return null;
    const name = path.posix.basename(href);
    return `<p><a href="${escapeHtml(address)}" download>Download ${escapeHtml(name)}</a></p>\n<pre><code>${escapeHtml(text)}</code></pre>\n`;
  }

  #image({ href, text }: Tokens.Image): string {
    const address = this.#pictureAddress(href);
    const image = `<img src="${address}" alt="${escapeHtml(text)}" loading="lazy">`;
    if (!LIGHT.test(href)) return image;
    const dark = this.#pictureAddress(href.replace(LIGHT, '-dark.'));
    return `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}">${image}</picture>`;
  }

  /** @throws if the picture does not exist */
  #pictureAddress(href: string): string {
    const address = this.#addressOf(href);
    if (address === null) throw new Error(`${this.#options.file}: picture ${href} is missing`);
    return escapeHtml(address);
  }

  /** Returns the address that the target of a link of this document has on the site, relative to the page. */
  #addressOf(href: string): string | null {
    if (/^([a-z]+:|#)/.test(href)) return href;
    // Paths of the service, not of the repository.
    if (href.startsWith('/')) return `${'../'.repeat(this.#options.url.split('/').length)}${href.slice(1)}`;
    const [target = '', anchor] = href.split('#');
    const address = this.#options.addressOf(fileOf(this.#options.file, target));
    if (address === null) return null;
    const relative = path.posix.relative(path.posix.dirname(this.#options.url), address);
    return anchor === undefined ? relative : `${relative}#${anchor}`;
  }

  /** Collects the text below each heading. */
  #index(tokens: readonly Token[], title: string): void {
    const { url } = this.#options;
    let heading = -1;
    let text: string[] = [];
    const end = () => {
      const { id, text: name } = this.#headings[heading] ?? { id: '', text: title };
      if (heading >= 0) this.#search.push({ url: `${url}#${id}`, page: title, heading: name, text: text.join(' ') });
      text = [];
    };
    for (const token of tokens) {
      if (token.type === 'heading') {
        end();
        heading += 1;
      } else text.push(plainText([token]));
    }
    end();
  }
}

/** Returns the path in the repository that a link of the document `from` names. */
function fileOf(from: string, href: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), decodeURI(href)));
}

/** Returns the text of tokens without formatting, as one line. */
function plainText(tokens: readonly Token[]): string {
  const text = tokens.map((token): string => {
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flatMap((row) => row.map((cell) => plainText(cell.tokens))).join(' ');
    }
    if (token.type === 'list') return (token as Tokens.List).items.map((item) => plainText(item.tokens)).join(' ');
    if (token.type === 'html') return ' ';
    if ('tokens' in token && token.tokens) return plainText(token.tokens);
    return 'text' in token ? String(token.text) : '';
  });
  return text.join('').replaceAll(/\s+/g, ' ').trim();
}

/** Returns the id of a heading, as on GitHub: lower case, without punctuation, with hyphens instead of spaces. */
function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
