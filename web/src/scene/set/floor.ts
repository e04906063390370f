import { type BufferGeometry, Color, Group, Mesh, ShaderMaterial, ShadowMaterial, Vector2 } from 'three';
import { square } from '../geometry/primitives.ts';
import type { Palette } from '../palette.ts';
import { shapeGeometry } from '../shape-geometry.ts';

/** Radius at which the disc has faded out, m. */
const RADIUS = 14;
const GRID_FADE = 0.8 * RADIUS;

const WORLD_XY = /* glsl */ `
varying vec2 w;
void main() {
  vec4 q = modelMatrix * vec4(position, 1.0);
  w = q.xy;
  gl_Position = projectionMatrix * viewMatrix * q;
}`;

/** Floor disc that fades into the horizon, with a faint pool of light, a grid of 0.25 m and 1 m, and a shadow. The disc
 *  moves with the camera's target; the grid lines stay fixed in the world. */
export class Floor {
  readonly group = new Group();
  readonly #disc: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #shadow: Mesh<BufferGeometry, ShadowMaterial>;
  readonly #grid: Mesh<BufferGeometry, ShaderMaterial>;
  #scale = 1;

  constructor() {
    const plane = shapeGeometry(square(RADIUS));
    this.#disc = new Mesh(
      plane,
      new ShaderMaterial({
        transparent: true,
        depthWrite: false,
        uniforms: {
          tint: { value: new Color() },
          pool: { value: new Color() },
          radius: { value: RADIUS },
          poolRadius: { value: 1.9 },
          centre: { value: new Vector2() },
        },
        vertexShader: WORLD_XY,
        fragmentShader: /* glsl */ `
          uniform vec3 tint, pool; uniform float radius, poolRadius; uniform vec2 centre;
          varying vec2 w;
          void main() {
            float r = length(w - centre);
            gl_FragColor = vec4(tint + pool * exp(-r * r / (poolRadius * poolRadius)), 1.0 - smoothstep(0.15, 1.0, r / radius));
            #include <colorspace_fragment>
          }`,
      }),
    );
    this.#disc.position.z = -0.004;
    this.#disc.renderOrder = -3;
    this.#shadow = new Mesh(plane, new ShadowMaterial({ depthWrite: false }));
    this.#shadow.receiveShadow = true;
    this.#shadow.renderOrder = -2;
    this.#grid = new Mesh(
      plane,
      new ShaderMaterial({
        transparent: true,
        depthWrite: false,
        uniforms: {
          minor: { value: new Color() },
          major: { value: new Color() },
          x: { value: new Color() },
          y: { value: new Color() },
          fade: { value: GRID_FADE },
          pixel: { value: 1 },
          centre: { value: new Vector2() },
        },
        vertexShader: WORLD_XY,
        fragmentShader: /* glsl */ `
          uniform vec3 minor, major, x, y; uniform float fade, pixel; uniform vec2 centre;
          varying vec2 w;
          // A line thinner than a px of the picture is a px wide and fainter.
          float line(float away, float width) {
            float px = width * pixel;
            return clamp(1.0 - away / max(px, 1.0), 0.0, 1.0) * min(px, 1.0);
          }
          float lines(vec2 p, float spacing, float width) {
            vec2 q = p / spacing;
            vec2 d = fwidth(q);
            vec2 g = abs(fract(q - 0.5) - 0.5) / max(d, vec2(1e-6));
            return line(min(g.x, g.y), width) * (1.0 - smoothstep(0.25, 0.6, max(d.x, d.y)));
          }
          void main() {
            float fine = lines(w, 0.25, 1.1);
            float coarse = lines(w, 1.0, 1.5);
            vec2 d = fwidth(w);
            float onX = line(abs(w.y) / d.y, 1.6);
            float onY = line(abs(w.x) / d.x, 1.6);
            vec3 tint = mix(mix(mix(minor, major, coarse), x, onX), y, onY);
            float alpha = max(max(fine * 0.75, coarse), max(onX, onY) * 0.9);
            gl_FragColor = vec4(tint, alpha * (1.0 - smoothstep(0.25, 1.0, length(w - centre) / fade)));
            #include <colorspace_fragment>
          }`,
      }),
    );
    this.#grid.position.z = 0.001;
    this.#grid.renderOrder = -1;
    this.group.add(this.#disc, this.#shadow, this.#grid);
  }

  restyle(palette: Palette): void {
    const disc = this.#disc.material.uniforms;
    disc['tint']!.value = palette.colour('--vp-floor');
    disc['pool']!.value = palette.colour('--vp-pool');
    const grid = this.#grid.material.uniforms;
    grid['minor']!.value = palette.colour('--vp-minor');
    grid['major']!.value = palette.colour('--vp-major');
    grid['x']!.value = palette.colour('--vp-x');
    grid['y']!.value = palette.colour('--vp-y');
    this.#shadow.material.opacity = palette.shadow;
  }

  /** @param scale 1 for one robot, larger for wider scenes @param z height of the ground, m */
  place(x: number, y: number, z: number, scale: number): void {
    for (const mesh of this.group.children) mesh.position.set(x, y, mesh.position.z);
    this.group.position.z = z;
    (this.#disc.material.uniforms['centre']!.value as Vector2).set(x, y);
    (this.#grid.material.uniforms['centre']!.value as Vector2).set(x, y);
    if (scale === this.#scale) return;
    this.#scale = scale;
    for (const mesh of this.group.children) mesh.scale.set(scale, scale, 1);
    this.#disc.material.uniforms['radius']!.value = RADIUS * scale;
    this.#disc.material.uniforms['poolRadius']!.value = 1.9 * scale;
    this.#grid.material.uniforms['fade']!.value = GRID_FADE * scale;
  }

  /** Shows or hides the disc and the grid, without the shadow. */
  setSurface(shown: boolean): void {
    this.#disc.visible = shown;
    this.#grid.visible = shown;
  }

  /** @param size how many px of the picture one device px has */
  setPixels(size: number): void {
    this.#grid.material.uniforms['pixel']!.value = size;
  }

  dispose(): void {
    this.#disc.geometry.dispose();
    for (const mesh of [this.#disc, this.#shadow, this.#grid]) mesh.material.dispose();
  }
}
