import { Color } from 'three';
import { parseHex } from './colour.ts';
import type { SceneToken } from './scene-tokens.ts';

/** The theme's colours by token: `#rrggbb` or any CSS colour that three.js parses. */
export interface Theme3d {
  readonly dark: boolean;
  readonly tokens: Readonly<Record<string, string>>;
}

/** Colours of a theme, with its light strengths, exposure and ghost opacity. */
export interface Palette {
  readonly dark: boolean;
  readonly colour: (token: SceneToken) => Color;
  readonly srgb: (token: SceneToken) => readonly [number, number, number];
  readonly keyLight: number;
  readonly rimLight: number;
  readonly environment: number;
  readonly shadow: number;
  readonly exposure: number;
  readonly ghost: readonly [base: number, rim: number];
}

export function paletteOf({ dark, tokens }: Theme3d): Palette {
  const text = (token: SceneToken) => tokens[token] ?? '#808080';
  return {
    dark,
    colour: (token) => new Color().setStyle(text(token)),
    srgb: (token) => parseHex(text(token)),
    keyLight: dark ? 2.5 : 2.1,
    rimLight: dark ? 1.5 : 0.7,
    environment: dark ? 0.62 : 0.66,
    shadow: dark ? 0.55 : 0.3,
    exposure: dark ? 1 : 0.98,
    ghost: dark ? [0.1, 0.76] : [0.13, 0.66],
  };
}
