import type { Theme3d } from '../scene/palette.ts';
import { SCENE_TOKENS } from '../scene/scene-tokens.ts';

/** Reads the scene's colours of the current theme from the style sheet. */
export function readTheme(): Theme3d {
  const style = getComputedStyle(document.documentElement);
  return {
    dark: document.documentElement.dataset['theme'] !== 'light',
    tokens: Object.fromEntries(SCENE_TOKENS.map((token) => [token, style.getPropertyValue(token).trim()])),
  };
}
