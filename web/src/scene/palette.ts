import { Color } from 'three';
import { parseHex } from '../logic/colour.ts';

/** Colours of the scene as the style sheet's tokens say, and the figures that go with the theme. */
export interface Palette {
  readonly dark: boolean;
  readonly colour: (token: string) => Color;
  readonly srgb: (token: string) => readonly [number, number, number];
  readonly keyLight: number;
  readonly rimLight: number;
  readonly environment: number;
  readonly shadow: number;
  readonly exposure: number;
  readonly ghost: readonly [base: number, rim: number];
}

/** Reads the tokens of the theme that is on. */
export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const dark = document.documentElement.dataset['theme'] !== 'light';
  const text = (token: string) => style.getPropertyValue(token);
  return {
    dark,
    colour: (token) => new Color().setStyle(text(token).trim() || '#808080'),
    srgb: (token) => parseHex(text(token)),
    keyLight: dark ? 2.5 : 2.1,
    rimLight: dark ? 1.5 : 0.7,
    environment: dark ? 0.62 : 0.66,
    shadow: dark ? 0.55 : 0.3,
    exposure: dark ? 1 : 0.98,
    ghost: dark ? [0.1, 0.76] : [0.13, 0.66],
  };
}
