import { Color, type IUniform, ShaderMaterial } from 'three';
import type { Palette } from './palette.ts';
import { POSE_NORMAL, POSE_PARS, POSE_POSITION, type PoseTexture } from './pose-texture.ts';

/** A ghost is invisible where its surface is closer to the robot's than this, m. Otherwise the two would flicker. */
const SAME_M = '0.005';
/** Distance from which the ghost has its full strength, m. */
const APART_M = '0.012';

const VERTEX = /* glsl */ `${POSE_PARS}
uniform highp sampler2D robotPoses; uniform int robotRow, robotRows;
varying vec3 n; varying vec3 eye; varying float apart;
void main() {
  vec3 world = ${POSE_POSITION};
  int row = robotRow < 0 ? gl_InstanceID : robotRow;
  ivec2 at = ivec2(2 * int(body), row);
  vec3 robot = texelFetch(robotPoses, at, 0).xyz + turned(texelFetch(robotPoses, at + ivec2(1, 0), 0), position);
  apart = row < robotRows ? distance(world, robot) : 1.0;
  vec4 p = viewMatrix * vec4(world, 1.0);
  n = normalize((viewMatrix * vec4(${POSE_NORMAL}, 0.0)).xyz);
  eye = normalize(-p.xyz);
  gl_Position = projectionMatrix * p;
}`;

/** Materials of the reference ghost: a bright rim around what differs from the robot by more than 5 mm. The first pass
 *  writes depth alone, so that only the ghost's nearest surface is drawn. Both passes lie slightly behind the surface
 *  of the robot, so that neither flickers where they touch. */
export class GhostMaterials {
  readonly prepass: ShaderMaterial;
  readonly rim: ShaderMaterial;
  readonly #tint: IUniform<Color> = { value: new Color() };
  readonly #base: IUniform<number> = { value: 0.1 };
  readonly #strength: IUniform<number> = { value: 0.76 };
  readonly #row: IUniform<number> = { value: -1 };
  readonly #rows: IUniform<number> = { value: 0 };

  constructor(ghosts: PoseTexture, robots: PoseTexture) {
    const uniforms = {
      poses: ghosts.uniform,
      robotPoses: robots.uniform,
      robotRow: this.#row,
      robotRows: this.#rows,
      tint: this.#tint,
      base: this.#base,
      strength: this.#strength,
    };
    const behind = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 4 };
    this.prepass = new ShaderMaterial({
      ...behind,
      colorWrite: false,
      uniforms,
      vertexShader: VERTEX,
      fragmentShader: /* glsl */ `
        varying float apart;
        void main() {
          if (apart < ${SAME_M}) discard;
          gl_FragColor = vec4(0.0);
        }`,
    });
    this.rim = new ShaderMaterial({
      ...behind,
      transparent: true,
      depthWrite: false,
      uniforms,
      vertexShader: VERTEX,
      fragmentShader: /* glsl */ `
        uniform vec3 tint; uniform float base, strength;
        varying vec3 n; varying vec3 eye; varying float apart;
        void main() {
          if (apart < ${SAME_M}) discard;
          float fresnel = pow(1.0 - abs(dot(normalize(n), normalize(eye))), 1.8);
          gl_FragColor = vec4(tint, (base + strength * fresnel) * smoothstep(${SAME_M}, ${APART_M}, apart));
          #include <colorspace_fragment>
        }`,
    });
  }

  restyle(palette: Palette): void {
    this.#tint.value = palette.colour('--ghost');
    [this.#base.value, this.#strength.value] = palette.ghost;
  }

  /** Sets which robot each ghost is compared with. @param row that robot; −1: the robot with the index of the ghost
   *  @param rows number of robots that are drawn */
  compareWith(row: number, rows: number): void {
    this.#row.value = row;
    this.#rows.value = rows;
  }

  dispose(): void {
    this.prepass.dispose();
    this.rim.dispose();
  }
}
