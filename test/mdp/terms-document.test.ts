import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TERMS_DOCUMENT, termsDocument } from '../../scripts/terms-doc.ts';
import { LIBRARY } from '../../src/mdp/library.ts';

test('docs/terms.md agrees with the library (to update it: node --import tsx scripts/terms-doc.ts)', () => {
  expect(readFileSync(TERMS_DOCUMENT, 'utf8')).toBe(termsDocument());
});

test('the document has every name, and vertical bars in texts do not break its tables', () => {
  const text = termsDocument();
  for (const terms of Object.values(LIBRARY))
    for (const name of Object.keys(terms)) expect(text).toContain(`\`${name}\``);
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.filter((row) => row.replaceAll('\\|', '').split('|').length !== 5)).toEqual([]);
});
