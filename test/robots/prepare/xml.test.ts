import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeXml, parseXml, writeXml, type XmlElement } from '../../../src/robots/prepare/text/xml.ts';

const parse = (text: string) => parseXml(text, 'a.xml');

test('elements, attributes and lines; comments, instructions, text and CDATA have no meaning', () => {
  const root = parse(`<?xml version="1.0"?>
<!-- <a/> --><!DOCTYPE robot>
<robot name='a "b" &lt;&#x41;&#66;'>text<![CDATA[<c/>]]>
  <link/><link
    name="x"></link >
</robot>
<!-- end -->`);
  expect(root.attributes.get('name')).toBe('a "b" <AB');
  expect(root.children.map(({ name, line }) => [name, line])).toEqual([
    ['link', 4],
    ['link', 4],
  ]);
});

test('what is written is read again the same, on the same lines', () => {
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
  ['', /line 1: holds no XML element/],
  ['<a>', /line 1: <a> is never closed/],
  ['<a>\n</b>', /line 2: <\/b> closes nothing, <a> of line 1 is open/],
  ['</a>', /<\/a> closes nothing, nothing is open/],
  ['<a/><b/>', /second root element <b>/],
  ['<a x=1/>', /<a> is not well formed/],
  ['<a x="1" x="2"/>', /<a> has two attributes x/],
  ['<a x="&b;"/>', /entity &b; is not accepted/],
  ['<a x="a&b"/>', /entity &b is not accepted/],
  ['<a x="&#0;"/>', /entity &#0; is not accepted/],
  ['<a', /<a> is not well formed/],
  ['<!--', /<!-- is never closed/],
  ['<a/>text', /text outside/],
  ['<1/>', /"<" begins no element/],
  ['<a>'.repeat(101) + '</a>'.repeat(101), /nested deeper than 100/],
  [`<a>${'<b/>'.repeat(200_001)}</a>`, /more than 200000 elements/],
])('%.40s is refused', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test('a megabyte of anything is read or refused in a moment', () => {
  const started = performance.now();
  for (const text of ['<', '<a ', '<a x="', '&', '<!', '<a>', '"', ' ', '<a/>', '<a b="c" ', '<!-- ', '<a x="&']) {
    try {
      parse(`<r>${text.repeat(1e6 / text.length)}`);
    } catch {
      // refused
    }
  }
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('encodings', () => {
  const latin = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a n="'),
    Buffer.from([0xe9]),
    Buffer.from('"/>'),
  ]);
  expect(parse(decodeXml(latin)).attributes.get('n')).toBe('é');
  expect(parse(decodeXml(Buffer.from('\ufeff<a n="é"/>', 'utf16le'))).attributes.get('n')).toBe('é');
  expect(parse(decodeXml(Buffer.from('\ufeff<a n="é"/>'))).attributes.get('n')).toBe('é');
});
