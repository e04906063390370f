import { Group, InstancedBufferGeometry, type IUniform, Mesh, ShaderMaterial } from 'three';
import { square } from '../geometry/primitives.ts';
import { POSE_PARS, type PoseTexture } from '../pose-texture.ts';
import { shapeGeometry } from '../shape-geometry.ts';

/** Height of a foot above the ground from which it casts no contact shadow, m. */
const HEIGHT = 0.35;
const SIZE = 0.36;

/** Contact shadows: a soft dark spot under each foot, which fades as the foot rises. The vertex shader reads the foot's
 *  pose itself. */
export class ContactBlobs {
  readonly group = new Group();
  readonly #poses: PoseTexture;
  readonly #strength: IUniform<number> = { value: 0.5 };
  readonly #ground: IUniform<number> = { value: 0 };

  constructor(poses: PoseTexture) {
    this.#poses = poses;
  }

  /** @param feet body indices */
  setFeet(feet: readonly number[]): void {
    this.dispose();
    const plane = shapeGeometry(square(SIZE / 2));
    for (const foot of feet) {
      const geometry = new InstancedBufferGeometry();
      geometry.index = plane.index;
      geometry.setAttribute('position', plane.getAttribute('position'));
      const mesh = new Mesh(
        geometry,
        new ShaderMaterial({
          transparent: true,
          depthWrite: false,
          uniforms: {
            poses: this.#poses.uniform,
            foot: { value: foot },
            strength: this.#strength,
            ground: this.#ground,
          },
          vertexShader: /* glsl */ `${POSE_PARS.replace('attribute float body;', '')}
            uniform float foot, ground;
            varying vec2 at; varying float near;
            void main() {
              vec3 p = bodyTexel(foot, 0).xyz;
              vec3 ahead = turned(bodyTexel(foot, 1), vec3(0.03, 0.0, 0.0));
              at = position.xy / ${(SIZE / 2).toFixed(3)};
              near = max(0.0, 1.0 - max(0.0, p.z - ground - 0.035) / ${HEIGHT.toFixed(3)});
              gl_Position = projectionMatrix * viewMatrix * vec4(p.xy + ahead.xy + position.xy, ground + 0.002, 1.0);
            }`,
          fragmentShader: /* glsl */ `
            uniform float strength;
            varying vec2 at; varying float near;
            void main() {
              float r = min(1.0, length(at));
              gl_FragColor = vec4(0.0, 0.0, 0.0, strength * near * near * pow(1.0 - r, 2.2));
            }`,
        }),
      );
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
  }

  update(dark: boolean, ground: number): void {
    this.#strength.value = dark ? 0.75 : 0.34;
    this.#ground.value = ground;
    for (const mesh of this.group.children) {
      (mesh as Mesh<InstancedBufferGeometry>).geometry.instanceCount = this.#poses.n;
      mesh.visible = this.#poses.n > 0;
    }
  }

  dispose(): void {
    for (const mesh of [...this.group.children] as Mesh<InstancedBufferGeometry, ShaderMaterial>[]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
      this.group.remove(mesh);
    }
  }
}
