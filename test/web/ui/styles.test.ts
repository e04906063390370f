import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const web = new URL('../../../web/', import.meta.url);
const files = readdirSync(new URL('src/', web), { recursive: true, encoding: 'utf8' });
const text = (file: string) => readFileSync(new URL(`src/${file}`, web), 'utf8');
const sheets = files.filter((file) => file.endsWith('.css') && !file.endsWith('tokens.css'));
const code = files.filter((file) => /\.tsx?$/.test(file));

test('colours and font sizes are defined only in tokens.css', () => {
  for (const sheet of sheets) {
    const css = text(sheet);
    expect(css.match(/#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(/gi), sheet).toBeNull();
    expect(css.match(/font-size:(?!\s*(var\(--t-|inherit))/g), sheet).toBeNull();
  }
  for (const file of code.filter((name) => name.endsWith('.tsx')))
    expect(text(file).match(/['"]#[0-9a-f]{3,8}['"]/i), file).toBeNull();
});

test('every token in use is defined', () => {
  const tokens = new Set([...text('ui/tokens.css').matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
  const local = new Set(
    sheets.flatMap((sheet) => [...text(sheet).matchAll(/^\s*(--[\w-]+):/gm)].map(([, name]) => name)),
  );
  for (const sheet of sheets) {
    for (const [, name] of text(sheet).matchAll(/var\((--[\w-]+)/g)) {
      expect(tokens.has(name) || local.has(name), `${name} in ${sheet}`).toBe(true);
    }
  }
});

test('the page loads nothing from other hosts', () => {
  for (const file of [...sheets, ...code])
    expect(text(file).match(/(?<!w3\.org)\bhttps?:\/\/(?!www\.w3\.org)/), file).toBeNull();
  expect(readFileSync(new URL('index.html', web), 'utf8')).not.toMatch(/https?:|<script(?![^>]*src="\.\/)/);
});
