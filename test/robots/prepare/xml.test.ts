import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeXml, parseXml, writeXml, type XmlElement } from '../../../src/robots/prepare/text/xml.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const parse = (text: string) => parseXml(text, 'a.xml');

test('elements and attributes are read with their lines; comments, instructions, text and CDATA are dropped', () => {
  const root = parse(`<?xml version="1.0"?>
<!-- <a/> --><!DOCTYPE robot>
<robot name='a "b" &lt;&#x41;&#66;'>text<![CDATA[<c/>
]]>
  <link/><link
    name="x"></link >
</robot>
<!-- end -->`);
  expect(root.attributes.get('name')).toBe('a "b" <AB');
  expect(root.children.map(({ name, line }) => [name, line])).toEqual([
    ['link', 5],
    ['link', 5],
  ]);
});

test('lines are counted correctly with both kinds of line break', () => {
  const lines = ['<a>', '<!-- x', '-->', '<b', ' x="1"', '/>', '<c/>', '</a>'];
  for (const lineBreak of ['\n', '\r\n']) {
    expect(parse(lines.join(lineBreak)).children.map(({ line }) => line)).toEqual([4, 7]);
  }
});

test.each([
  ['a comment with dashes', '<!-- a -- b --><a/>'],
  ['a comment that ends with three dashes', '<a><!--- b ---></a>'],
  ['a comment before the XML declaration', '<!-- a --><?xml version="1.0"?><a/>'],
  ['an empty line before the XML declaration', '\n<?xml version="1.0"?><a/>'],
  ['attributes without a space between them', '<a x="1"y="2"/>'],
])('%s is read as MuJoCo and ROS read it', (_what, text) => {
  expect(parse(text).name).toBe('a');
});

test('a written tree reads back the same, on the same lines', () => {
  const name = fc.stringMatching(/^[a-z_][a-z0-9_:.-]{0,5}$/);
  const value = fc.stringMatching(/^[ -~é]{0,8}$/);
  const attributes = fc.array(fc.tuple(name, value), { maxLength: 3 }).map((pairs) => new Map(pairs));
  const level = (children: fc.Arbitrary<XmlElement[]>) =>
    fc.record<XmlElement>({ name, attributes, children, line: fc.constant(1) });
  const few = (inner: fc.Arbitrary<XmlElement>) => fc.array(inner, { maxLength: 3 });
  const element = level(few(level(few(level(fc.constant([]))))));
  fc.assert(
    fc.property(element, (root) => {
      expect(parse(writeXml(root))).toEqual(root);
    }),
  );
  const text = '<a>\n<b>\n\n<c/></b>\n<d\nx="1"/>\n</a>';
  expect(parse(writeXml(parse(text)))).toEqual(parse(text));
});

test.each([
  ['', /line 1: the file contains no XML element/],
  ['<a>', /line 1: <a> is never closed/],
  ['<a>\n</b>', /line 2: a closing tag was found, but <\/a> was expected: <a> of line 1 is still open/],
  ['</a>', /line 1: unmatched closing tag: a/],
  ['<a/>\n<b/>', /line 2: <b>: documents may contain only one root/],
  ['<a x=1/>', /line 1: <a>: unquoted attribute value/],
  ['<a x="1" x="2"/>', /line 1: <a>: duplicate attribute: x/],
  ['<a x="&b;"/>', /line 1: <a>: this entity is not accepted\. Write "&" as "&amp;"\./],
  ['<a>\n<b x="a&b"/>\n</a>', /line 2: <b>: the file ends inside a tag or value/],
  ['<a>&b;</a>', /line 1: <a>: this entity is not accepted/],
  ['<a x="&#0;"/>', /line 1: <a>: this character entity is not accepted/],
  ['<a x="<"/>', /line 1: <a>: a value or text contains "<" or a control character/],
  ['<a>\n<b x="1', /line 2: <b>: the file ends inside a tag or value/],
  ['<a/>\n<!--', /line 2: <!-- is never closed/],
  ['<a/>text', /line 1: text outside of the root element/],
  ['<1/>', /line 1: "<" is not followed by a tag/],
  ['<!DOCTYPE a [<!ENTITY b "c">]>\n<a/>', /line 1: a document type with declarations is not accepted/],
  ['<a>'.repeat(101) + '</a>'.repeat(101), /nested deeper than 100/],
  [`<a>${'<b/>'.repeat(200_001)}</a>`, /more than 200000 elements/],
])('the document %.40s is refused', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test('a megabyte of any token is read or refused within 20 s of CPU time for all twelve', async () => {
  const parseAll = () => {
    for (const text of ['<', '<a ', '<a x="', '&', '<!', '<a>', '"', ' ', '<a/>', '<a b="c" ', '<!-- ', '<a x="&']) {
      try {
        parse(`<r>${text.repeat(1e6 / text.length)}`);
      } catch {
        // refused
      }
    }
  };
  expect(await cpuMs(parseAll)).toBeLessThan(20_000);
});

test('texts in ISO-8859-1, UTF-16 and UTF-8 with a byte order mark are decoded', () => {
  const latin = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a n="'),
    Buffer.from([0xe9]),
    Buffer.from('"/>'),
  ]);
  expect(parse(decodeXml(latin)).attributes.get('n')).toBe('é');
  expect(parse(decodeXml(Buffer.from('\ufeff<a n="é"/>', 'utf16le'))).attributes.get('n')).toBe('é');
  expect(parse(decodeXml(Buffer.from('\ufeff<a n="é"/>'))).attributes.get('n')).toBe('é');
});
