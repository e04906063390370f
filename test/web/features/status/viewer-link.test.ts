import { expect, test } from 'vitest';
import { viewerLink } from '../../../../web/src/features/status/viewer-link.ts';

test('the link for viewers opens the same view with the view token', () => {
  const here = { origin: 'https://lab.example', pathname: '/studio/', hash: '#play?run=wbc/first' };
  expect(viewerLink(here, 'a&b+c')).toBe('https://lab.example/studio/?token=a%26b%2Bc#play?run=wbc/first');
});
