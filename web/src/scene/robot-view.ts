import {
  BufferAttribute,
  Color,
  Group,
  InstancedBufferGeometry,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshDepthMaterial,
  MeshPhysicalMaterial,
  RGBADepthPacking,
  ShaderMaterial,
  SRGBColorSpace,
} from 'three';
import { surfaceOf } from '../logic/colour.ts';
import type { RobotGeometry, RobotPart } from './geometry/build-geometry.ts';
import type { Palette } from './palette.ts';
import { POSE_NORMAL, POSE_PARS, POSE_POSITION, PoseTexture } from './pose-texture.ts';
import { ROOM_LIGHT, ROOM_PARS, RoomLight } from './set/room.ts';

/** Makes a built-in material take its vertices from the body poses, and its surroundings' light from the room. */
function posed<M extends Material>(material: M, poses: PoseTexture, room: RoomLight | null = null): M {
  material.onBeforeCompile = (shader) => {
    shader.uniforms['poses'] = poses.uniform;
    if (room !== null) {
      Object.assign(shader.uniforms, room.uniforms);
      shader.fragmentShader = shader.fragmentShader
        .replace('#include <lights_physical_pars_fragment>', `#include <lights_physical_pars_fragment>\n${ROOM_PARS}`)
        .replace('#include <lights_fragment_maps>', `#include <lights_fragment_maps>\n${ROOM_LIGHT}`);
    }
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${POSE_PARS}`)
      .replace('#include <beginnormal_vertex>', `vec3 objectNormal = ${POSE_NORMAL};`)
      .replace('#include <begin_vertex>', `vec3 transformed = ${POSE_POSITION};`);
  };
  material.customProgramCacheKey = () => (room === null ? 'posed' : 'posed in the room');
  return material;
}

/** All robots of the scene, and their ghosts: one draw call a colour, whatever their number. */
export class RobotView {
  readonly group = new Group();
  readonly poses = new PoseTexture();
  readonly ghostPoses = new PoseTexture();
  readonly #room = new RoomLight();
  readonly #depth = posed(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }), this.poses);
  readonly #prepass = posed(new MeshBasicMaterial({ colorWrite: false }), this.ghostPoses);
  readonly #ghost = new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    uniforms: {
      poses: this.ghostPoses.uniform,
      tint: { value: new Color() },
      base: { value: 0.1 },
      rim: { value: 0.76 },
    },
    vertexShader: /* glsl */ `${POSE_PARS}
      varying vec3 n; varying vec3 eye;
      void main() {
        vec4 p = viewMatrix * vec4(${POSE_POSITION}, 1.0);
        n = normalize((viewMatrix * vec4(${POSE_NORMAL}, 0.0)).xyz);
        eye = normalize(-p.xyz);
        gl_Position = projectionMatrix * p;
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 tint; uniform float base; uniform float rim;
      varying vec3 n; varying vec3 eye;
      void main() {
        float fresnel = pow(1.0 - abs(dot(normalize(n), normalize(eye))), 1.8);
        gl_FragColor = vec4(tint, base + rim * fresnel);
        #include <colorspace_fragment>
      }`,
  });
  #solid: { readonly mesh: Mesh<InstancedBufferGeometry, MeshPhysicalMaterial>; readonly rgba: readonly number[] }[] =
    [];
  #ghosts: Mesh<InstancedBufferGeometry>[] = [];

  setGeometry(geometry: RobotGeometry, palette: Palette): void {
    this.clear();
    for (const part of geometry.parts) this.#add(part);
    this.restyle(palette);
    this.setCount(this.poses.n, this.ghostPoses.n);
  }

  restyle(palette: Palette): void {
    this.#room.restyle(palette);
    const shell = palette.srgb('--vp-shell');
    const dark = palette.srgb('--vp-dark');
    for (const { mesh, rgba } of this.#solid) {
      const surface = surfaceOf(rgba, shell, dark);
      const { material } = mesh;
      material.color.setRGB(...surface.colour, SRGBColorSpace);
      material.emissive.copy(material.color);
      material.emissiveIntensity = surface.glow;
      material.roughness = surface.roughness;
      material.metalness = surface.metalness;
      material.clearcoat = surface.clearcoat;
      material.clearcoatRoughness = surface.clearcoatRoughness;
      material.opacity = surface.opacity;
      material.transparent = surface.opacity < 1;
    }
    const { uniforms } = this.#ghost;
    uniforms['tint']!.value = palette.colour('--ghost');
    uniforms['base']!.value = palette.ghost[0];
    uniforms['rim']!.value = palette.ghost[1];
  }

  /** @param n robots @param ghosts of the reference */
  setCount(n: number, ghosts: number): void {
    for (const { mesh } of this.#solid) {
      mesh.geometry.instanceCount = n;
      mesh.visible = n > 0;
    }
    for (const mesh of this.#ghosts) {
      mesh.geometry.instanceCount = ghosts;
      mesh.visible = ghosts > 0;
    }
  }

  clear(): void {
    for (const mesh of [...this.#solid.map((part) => part.mesh), ...this.#ghosts]) {
      mesh.geometry.dispose();
      this.group.remove(mesh);
    }
    for (const { mesh } of this.#solid) mesh.material.dispose();
    this.#solid = [];
    this.#ghosts = [];
  }

  dispose(): void {
    this.clear();
    this.#depth.dispose();
    this.#prepass.dispose();
    this.#ghost.dispose();
    this.poses.dispose();
    this.ghostPoses.dispose();
  }

  #add(part: RobotPart): void {
    const attributes = {
      position: new BufferAttribute(part.positions, 3),
      normal: new BufferAttribute(part.normals, 3),
      body: new BufferAttribute(part.bodies, 1),
      index: new BufferAttribute(part.indices, 1),
    };
    const geometry = () => {
      const made = new InstancedBufferGeometry();
      made.setAttribute('position', attributes.position);
      made.setAttribute('normal', attributes.normal);
      made.setAttribute('body', attributes.body);
      made.setIndex(attributes.index);
      return made;
    };
    const mesh = new Mesh(geometry(), posed(new MeshPhysicalMaterial(), this.poses, this.#room));
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    mesh.customDepthMaterial = this.#depth;
    this.#solid.push({ mesh, rgba: part.rgba });
    const shared = geometry();
    const prepass = new Mesh(shared, this.#prepass);
    const ghost = new Mesh(shared, this.#ghost);
    prepass.renderOrder = 10;
    ghost.renderOrder = 11;
    this.#ghosts.push(prepass, ghost);
    for (const one of [mesh, prepass, ghost]) {
      one.frustumCulled = false; // the vertices are where the poses say, not where the geometry says
      one.matrixAutoUpdate = false;
      this.group.add(one);
    }
  }
}
