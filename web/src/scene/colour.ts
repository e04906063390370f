type Rgb = readonly [number, number, number];

/** Material properties for geoms of one colour. Colours are sRGB 0..1. */
export interface Surface {
  readonly colour: Rgb;
  readonly roughness: number;
  readonly metalness: number;
  readonly clearcoat: number;
  readonly clearcoatRoughness: number;
  /** share of the colour that the surface emits */
  readonly glow: number;
  readonly opacity: number;
}

const SHELL = { roughness: 0.42, metalness: 0.18, clearcoat: 0.35, clearcoatRoughness: 0.35 } as const;
const DARK = { roughness: 0.52, metalness: 0.35, clearcoat: 0.2, clearcoatRoughness: 0.5 } as const;

/** A part without hue changes from the dark finish to the shell finish between these grey values. */
const DARK_BELOW = 0.22;
const SHELL_ABOVE = 0.6;
/** Chroma (largest minus smallest channel) below which a colour is treated as grey. */
const GREY_CHROMA = 0.12;
const GLOWS_ABOVE = 0.5;

const mix = (a: number, b: number, t: number) => a + t * (b - a);

/** Returns the surface for a model colour. Keeps hues, maps black and white to the theme's dark and shell colours, and
 *  interpolates greys between them.
 *  @param rgba 0..1, from the model @param shell sRGB of the theme @param dark sRGB of the theme */
export function surfaceOf(rgba: ArrayLike<number>, shell: Rgb, dark: Rgb): Surface {
  const [r, g, b, a] = [rgba[0] ?? 0.5, rgba[1] ?? 0.5, rgba[2] ?? 0.5, rgba[3] ?? 1];
  const chroma = Math.max(r, g, b) - Math.min(r, g, b);
  const grey = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const light = Math.min(1, Math.max(0, (grey - DARK_BELOW) / (SHELL_ABOVE - DARK_BELOW)));
  const finish = {
    roughness: mix(DARK.roughness, SHELL.roughness, light),
    metalness: mix(DARK.metalness, SHELL.metalness, light),
    clearcoat: mix(DARK.clearcoat, SHELL.clearcoat, light),
    clearcoatRoughness: mix(DARK.clearcoatRoughness, SHELL.clearcoatRoughness, light),
    opacity: a,
  };
  if (chroma < GREY_CHROMA) {
    return {
      ...finish,
      colour: [mix(dark[0], shell[0], light), mix(dark[1], shell[1], light), mix(dark[2], shell[2], light)],
      glow: 0,
    };
  }
  const glow = chroma > GLOWS_ABOVE ? 0.35 : 0;
  return { ...finish, metalness: Math.min(finish.metalness, 0.15), colour: [r, g, b], glow };
}

/** Parses `#rrggbb` to sRGB 0..1. */
export function parseHex(text: string): Rgb {
  const value = Number.parseInt(text.trim().replace('#', '').slice(0, 6), 16);
  if (!Number.isFinite(value)) return [0.5, 0.5, 0.5];
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
