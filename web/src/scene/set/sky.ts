import { BufferAttribute, BufferGeometry, Color, Matrix4, Mesh, type PerspectiveCamera, ShaderMaterial } from 'three';
import type { Palette } from '../palette.ts';

/** Background: the horizon colour at and below the horizon, and a gradient to the sky colour above it. */
export class Sky {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #toWorld = new Matrix4();

  constructor() {
    const triangle = new BufferGeometry();
    triangle.setAttribute('position', new BufferAttribute(Float32Array.of(-1, -1, 0, 3, -1, 0, -1, 3, 0), 3));
    this.mesh = new Mesh(
      triangle,
      new ShaderMaterial({
        depthTest: false,
        depthWrite: false,
        uniforms: { sky: { value: new Color() }, horizon: { value: new Color() }, toWorld: { value: this.#toWorld } },
        vertexShader: /* glsl */ `
          varying vec2 ndc;
          void main() { ndc = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }`,
        fragmentShader: /* glsl */ `
          uniform vec3 sky, horizon; uniform mat4 toWorld;
          varying vec2 ndc;
          void main() {
            vec4 far = toWorld * vec4(ndc, 1.0, 1.0);
            vec4 near = toWorld * vec4(ndc, -1.0, 1.0);
            float up = normalize(far.xyz / far.w - near.xyz / near.w).z;
            gl_FragColor = vec4(mix(horizon, sky, smoothstep(0.0, 0.24, up)), 1.0);
            #include <colorspace_fragment>
          }`,
      }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -10;
  }

  restyle(palette: Palette): void {
    this.mesh.material.uniforms['sky']!.value = palette.colour('--vp-sky');
    this.mesh.material.uniforms['horizon']!.value = palette.colour('--vp-horizon');
  }

  update(camera: PerspectiveCamera): void {
    this.#toWorld.multiplyMatrices(camera.matrixWorld, camera.projectionMatrixInverse);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}
