import { Color, type IUniform, Vector2, Vector3 } from 'three';
import type { Palette } from '../palette.ts';

/** Area light of the room: size (m), position (m), strength in the dark and the light theme, colour. */
type Lamp = readonly [
  width: number,
  height: number,
  x: number,
  y: number,
  z: number,
  dark: number,
  light: number,
  colour: number,
];

/** The lights of the room: a large area light above, one light at the side, and two narrow lights, one bluish and one
 *  yellowish. */
const LAMPS: readonly Lamp[] = [
  [6, 6, 0, 0, 8, 7, 6, 0xf4f8ff],
  [3, 7, 7, 4, 3, 6, 5, 0xffffff],
  [3, 6, -5, -7, 3, 4, 3, 0x9fc2ff],
  [2, 6, -7, 5, 2, 3.5, 2.5, 0xffe9cf],
];

/** Ambient light of a small room with area lights, seen from the room's middle. The shader evaluates the room directly
 *  at each reflection instead of using a blurred environment image. A software renderer needs seconds for such an
 *  image; the direct evaluation needs a few operations. */
export class RoomLight {
  readonly uniforms: Readonly<Record<string, IUniform>>;
  readonly #colours = LAMPS.map(() => new Color());
  readonly #walls = new Color();
  readonly #floor = new Color();
  readonly #strength: IUniform<number> = { value: 1 };

  constructor() {
    const axes = LAMPS.map(([width, height, x, y, z]) => {
      const away = Math.hypot(x, y, z);
      const toward = new Vector3(x, y, z).divideScalar(away);
      const right = Math.abs(toward.z) > 0.999 ? new Vector3(1, 0, 0) : new Vector3(0, 0, 1).cross(toward).normalize();
      const size = new Vector2(width / 2 / away, height / 2 / away);
      return { toward, right, up: toward.clone().cross(right), size, solid: solidAngle(size.x, size.y) };
    });
    this.uniforms = {
      lampToward: { value: axes.map((lamp) => lamp.toward) },
      lampRight: { value: axes.map((lamp) => lamp.right) },
      lampUp: { value: axes.map((lamp) => lamp.up) },
      lampSize: { value: axes.map((lamp) => lamp.size) },
      lampSolid: { value: axes.map((lamp) => lamp.solid) },
      lampColour: { value: this.#colours },
      roomWalls: { value: this.#walls },
      roomFloor: { value: this.#floor },
      roomStrength: this.#strength,
    };
  }

  restyle(palette: Palette): void {
    for (const [k, lamp] of LAMPS.entries()) {
      this.#colours[k]!.setHex(lamp[7]).multiplyScalar(palette.dark ? lamp[5] : lamp[6]);
    }
    this.#walls.copy(palette.colour('--vp-room'));
    this.#floor.copy(palette.colour('--vp-room-floor')).multiplyScalar(palette.dark ? 0.12 : 0.9);
    this.#strength.value = palette.environment;
  }
}

/** Solid angle (sr) of a rectangle at distance 1 with half sides `a` and `b`, seen from in front of its middle. */
function solidAngle(a: number, b: number): number {
  return 4 * Math.atan((a * b) / Math.sqrt(1 + a * a + b * b));
}

const COUNT = LAMPS.length;

/** GLSL for the fragment shader of a physical material: radiance gathered by a lobe of given roughness around a
 *  direction, and irradiance on a surface. Directions in the world frame. */
export const ROOM_PARS = /* glsl */ `
uniform vec3 lampToward[${COUNT}], lampRight[${COUNT}], lampUp[${COUNT}], lampColour[${COUNT}];
uniform vec2 lampSize[${COUNT}];
uniform float lampSolid[${COUNT}], roomStrength;
uniform vec3 roomWalls, roomFloor;
vec2 edge(vec2 x) { return x * inversesqrt(1.0 + x * x); }
vec3 roomRadiance(vec3 r, float roughness) {
  float alpha = roughness * roughness;
  float blur = 0.02 + 1.5 * alpha;
  vec3 sum = mix(roomFloor, roomWalls, smoothstep(-0.45 - blur, -0.45 + blur, r.z));
  for (int k = 0; k < ${COUNT}; k++) {
    float ahead = dot(r, lampToward[k]);
    if (ahead < 0.05) continue;
    vec2 p = vec2(dot(r, lampRight[k]), dot(r, lampUp[k])) / ahead;
    vec2 on = 0.5 * (edge((p + lampSize[k]) / blur) - edge((p - lampSize[k]) / blur));
    sum += lampColour[k] * on.x * on.y;
  }
  return roomStrength * sum;
}
vec3 roomIrradiance(vec3 n) {
  vec3 sum = PI * mix(roomFloor, roomWalls, 0.5 + 0.5 * n.z);
  for (int k = 0; k < ${COUNT}; k++) sum += lampColour[k] * lampSolid[k] * max(0.0, (dot(n, lampToward[k]) + 0.15) / 1.15);
  return roomStrength * sum;
}
`;

/** GLSL to insert after `#include <lights_fragment_maps>`. */
export const ROOM_LIGHT = /* glsl */ `
{
  vec3 worldNormal = inverseTransformDirection(geometryNormal, viewMatrix);
  iblIrradiance += roomIrradiance(worldNormal);
  vec3 bounced = mix(reflect(-geometryViewDir, geometryNormal), geometryNormal, pow4(material.roughness));
  radiance += roomRadiance(inverseTransformDirection(normalize(bounced), viewMatrix), material.roughness);
  #ifdef USE_CLEARCOAT
    vec3 coat = reflect(-geometryViewDir, geometryClearcoatNormal);
    clearcoatRadiance += roomRadiance(inverseTransformDirection(coat, viewMatrix), material.clearcoatRoughness);
  #endif
}
`;
