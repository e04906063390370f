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
  RepeatWrapping,
  RGBADepthPacking,
  SRGBColorSpace,
  Texture,
  Vector4,
} from 'three';
import type { Frame } from '../../../src/protocol/frame.ts';
import { surfaceOf } from './colour.ts';
import type { BodyTriangles, RobotGeometry, RobotPart } from './geometry/build-geometry.ts';
import { alignGhosts } from './ghost-alignment.ts';
import { GhostMaterials } from './ghost-material.ts';
import { bodyErrors } from './marks/body-errors.ts';
import type { Palette } from './palette.ts';
import type { Range } from './pick.ts';
import { POSE_NORMAL, POSE_PARS, POSE_POSITION, PoseTexture } from './pose-texture.ts';
import { ROOM_LIGHT, ROOM_PARS, RoomLight } from './set/room.ts';

/** Shader uniforms for colouring bodies: the highlighted body (index, −1 for none), its colour, and the error
 *  colours. */
interface Lit {
  readonly body: { value: number };
  readonly colour: { value: Color };
  /** colours for half the maximum error (`far`) and the maximum error (`farthest`) */
  readonly far: { value: Color };
  readonly farthest: { value: Color };
  /** own colour of each of the first robots; w is its share of the surface, 0 for none */
  readonly teams: { value: Vector4[] };
}
/** Number of robots that can have a colour of their own. */
const TEAMS = ['--c1', '--c2', '--c3', '--c4'] as const;
/** Share of the robot's own colour in the colour of its surface, 0..1. */
const TEAM_SHARE = 0.5;
const noLit = (): Lit => ({
  body: { value: -1 },
  colour: { value: new Color() },
  far: { value: new Color() },
  farthest: { value: new Color() },
  teams: { value: TEAMS.map(() => new Vector4()) },
});
const NO_LIT = noLit();
/** Error at which the tint reaches full red, m. */
const ERROR_MOST = '0.3';
const LIT_PARS =
  'uniform vec3 litColour, farColour, farthestColour; varying float isLit; varying float bodyError; varying vec4 team;';
/** Colours a robot by its policy, and a body by its error: from its own colour over amber to red. */
const LIT = `diffuseColor.rgb = mix(diffuseColor.rgb, team.rgb, team.a);
diffuseColor.rgb = mix(diffuseColor.rgb, mix(farColour, farthestColour, max(0.0, 2.0 * bodyError - 1.0)), min(1.0, 2.0 * bodyError));
diffuseColor.rgb = mix(diffuseColor.rgb, litColour, 0.75 * isLit);`;

/** Changes a built-in material: its vertices follow the body poses, and its ambient light comes from the room. */
function posed<M extends Material>(material: M, poses: PoseTexture, room: RoomLight | null = null, lit = NO_LIT): M {
  material.onBeforeCompile = (shader) => {
    shader.uniforms['poses'] = poses.uniform;
    if (room !== null) {
      shader.uniforms['litBody'] = lit.body;
      shader.uniforms['litColour'] = lit.colour;
      shader.uniforms['farColour'] = lit.far;
      shader.uniforms['farthestColour'] = lit.farthest;
      shader.uniforms['teams'] = lit.teams;
      shader.vertexShader =
        `uniform float litBody; uniform vec4 teams[${TEAMS.length}]; varying float isLit; varying float bodyError; varying vec4 team;\n${shader.vertexShader}`.replace(
          '#include <begin_vertex>',
          `#include <begin_vertex>\nisLit = abs(body - litBody) < 0.5 ? 1.0 : 0.0;
           team = teams[min(gl_InstanceID, ${TEAMS.length - 1})];
           bodyError = clamp(bodyTexel(body, 0).w / ${ERROR_MOST}, 0.0, 1.0);`,
        );
      Object.assign(shader.uniforms, room.uniforms);
      shader.fragmentShader = `${LIT_PARS}\n${shader.fragmentShader}`
        .replace('#include <color_fragment>', `#include <color_fragment>\n${LIT}`)
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

/** Draws all robots of the scene and their ghosts, with one draw call per colour for any number of robots. */
export class RobotView {
  readonly group = new Group();
  readonly poses = new PoseTexture();
  readonly ghostPoses = new PoseTexture();
  readonly #room = new RoomLight();
  readonly #lit = noLit();
  /** colour bodies by the distance from their reference */
  tint = false;
  /** show only the focused robot */
  alone = false;
  /** number of robots that have a colour of their own */
  teams = 0;
  #errors: Float32Array = new Float32Array();
  #teamColours: readonly Color[] = [];
  readonly #depth = posed(new MeshDepthMaterial({ depthPacking: RGBADepthPacking }), this.poses);
  /** for meshes that are invisible and only cast a shadow */
  readonly #unseen = posed(new MeshBasicMaterial({ colorWrite: false, depthWrite: false }), this.poses);
  readonly #ghost = new GhostMaterials(this.ghostPoses, this.poses);
  /** draw the reference robots at the positions of their robots */
  aligned = false;
  /** body by which ghosts are aligned; −1 for none */
  anchor = -1;
  #alignedPoses: Float32Array = new Float32Array();
  #solid: Solid[] = [];
  #ghosts: Mesh<InstancedBufferGeometry>[] = [];
  #fine = true;

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
      const { material } = mesh;
      const surface = surfaceOf(rgba, shell, dark);
      if (material.map !== null) Object.assign(surface, { colour: rgba, glow: 0 });
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
    this.#lit.colour.value.copy(palette.colour('--keybody'));
    this.#lit.far.value.copy(palette.colour('--warn'));
    this.#lit.farthest.value.copy(palette.colour('--err'));
    this.#teamColours = TEAMS.map((token) => palette.colour(token));
    this.#ghost.restyle(palette);
  }

  /** Returns the range of robots of a frame that are shown. */
  shown({ header: { n, focus } }: Frame): Range {
    return this.alone && focus >= 0 && focus < n ? [focus, focus + 1] : [0, n];
  }

  /** Updates the poses of robots and ghosts from a frame. */
  show(frame: Frame): void {
    const { header, blob } = frame;
    const { nbody, ghost } = header;
    const [first, end] = this.shown(frame);
    const n = end - first;
    const errors = this.tint ? bodyErrors(frame, this.#errors) : null;
    if (errors !== null) this.#errors = errors;
    this.#colourTeams(first);
    this.poses.write(blob, header.poses.offset + 7 * nbody * first, n, nbody, errors, nbody * first);
    this.setCount(n, ghost === null ? 0 : this.#showGhosts(frame, ghost, first, n));
  }

  /** @param first index in the frame of the first robot to draw
   *  @param n number of robots to draw
   *  @returns the number of drawn ghosts */
  #showGhosts(frame: Frame, ghost: NonNullable<Frame['header']['ghost']>, first: number, n: number): number {
    const { header } = frame;
    const alone = n < header.n;
    const paired = ghost.n === header.n;
    const ghosts = alone && paired ? 1 : ghost.n;
    const skipped = alone && paired ? 7 * header.nbody * first : 0;
    if (this.aligned) {
      this.#alignedPoses = alignGhosts(frame, this.anchor, paired ? 0 : header.focus, this.#alignedPoses);
      this.ghostPoses.write(this.#alignedPoses, skipped, ghosts, header.nbody);
    } else this.ghostPoses.write(frame.blob, ghost.offset + skipped, ghosts, header.nbody);
    this.#ghost.compareWith(paired ? -1 : Math.max(0, header.focus - first), n);
    return ghosts;
  }

  /** @param first index of the first robot to draw */
  #colourTeams(first: number): void {
    for (const [k, team] of this.#lit.teams.value.entries()) {
      const colour = first + k < this.teams ? this.#teamColours[first + k] : undefined;
      if (colour) team.set(colour.r, colour.g, colour.b, TEAM_SHARE);
      else team.set(0, 0, 0, 0);
    }
  }

  /** Highlights a body. @param body its index, −1 for none */
  light(body: number): void {
    this.#lit.body.value = body;
  }

  /** Selects fine or coarse meshes. Shadows always use the coarse meshes. */
  setDetail(fine: boolean): void {
    this.#fine = fine;
    for (const { mesh, shadow } of this.#solid) {
      mesh.visible = fine && mesh.geometry.instanceCount > 0;
      shadow.material = fine ? this.#unseen : mesh.material;
      shadow.receiveShadow = !fine;
    }
  }

  /** @param n number of robots @param ghosts number of reference ghosts */
  setCount(n: number, ghosts: number): void {
    for (const { mesh, shadow } of this.#solid) {
      mesh.geometry.instanceCount = n;
      shadow.geometry.instanceCount = n;
      shadow.visible = n > 0;
    }
    this.setDetail(this.#fine);
    for (const mesh of this.#ghosts) {
      mesh.geometry.instanceCount = ghosts;
      mesh.visible = ghosts > 0;
    }
  }

  clear(): void {
    for (const mesh of [...this.#solid.flatMap(({ mesh, shadow }) => [mesh, shadow]), ...this.#ghosts]) {
      mesh.geometry.dispose();
      this.group.remove(mesh);
    }
    for (const { mesh } of this.#solid) {
      mesh.material.map?.dispose();
      mesh.material.dispose();
    }
    this.#solid = [];
    this.#ghosts = [];
  }

  dispose(): void {
    this.clear();
    this.#depth.dispose();
    this.#unseen.dispose();
    this.#ghost.dispose();
    this.poses.dispose();
    this.ghostPoses.dispose();
  }

  #add(part: RobotPart): void {
    const fine = attributesOf(part.fine);
    const coarse = attributesOf(part.coarse);
    const mesh = new Mesh(geometryOf(fine), posed(new MeshPhysicalMaterial(), this.poses, this.#room, this.#lit));
    mesh.receiveShadow = true;
    if (part.picture) mesh.material.map = mapOf(part.picture);
    const shadow = new Mesh<InstancedBufferGeometry, Material>(geometryOf(coarse), this.#unseen);
    shadow.castShadow = true;
    shadow.customDepthMaterial = this.#depth;
    this.#solid.push({ mesh, shadow, rgba: part.rgba });
    const shared = geometryOf(coarse);
    const prepass = new Mesh(shared, this.#ghost.prepass);
    const ghost = new Mesh(shared, this.#ghost.rim);
    prepass.renderOrder = 10;
    ghost.renderOrder = 11;
    this.#ghosts.push(prepass, ghost);
    for (const one of [mesh, shadow, prepass, ghost]) {
      one.frustumCulled = false; // the pose texture moves the vertices, so the bounds of the geometry are wrong
      one.matrixAutoUpdate = false;
      this.group.add(one);
    }
  }
}

/** The meshes of one colour: a fine mesh, and a coarse mesh. The coarse mesh casts the shadow and replaces the fine
 *  mesh at low detail. */
interface Solid {
  readonly mesh: Mesh<InstancedBufferGeometry, MeshPhysicalMaterial>;
  readonly shadow: Mesh<InstancedBufferGeometry, Material>;
  readonly rgba: readonly number[];
}

function mapOf(picture: ImageBitmap): Texture {
  const map = new Texture(picture);
  map.colorSpace = SRGBColorSpace;
  map.wrapS = RepeatWrapping;
  map.wrapT = RepeatWrapping;
  map.flipY = false;
  map.needsUpdate = true;
  return map;
}

type Attributes = Readonly<Record<'position' | 'normal' | 'body' | 'index', BufferAttribute>> & {
  readonly uv: BufferAttribute | null;
};

function attributesOf({ positions, normals, bodies, indices, uvs }: BodyTriangles): Attributes {
  return {
    position: new BufferAttribute(positions, 3),
    normal: new BufferAttribute(normals, 3),
    body: new BufferAttribute(bodies, 1),
    index: new BufferAttribute(indices, 1),
    uv: uvs ? new BufferAttribute(uvs, 2) : null,
  };
}

/** Returns a geometry with a separate instance count that shares its buffers. */
function geometryOf({ position, normal, body, index, uv }: Attributes): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute('position', position);
  geometry.setAttribute('normal', normal);
  geometry.setAttribute('body', body);
  geometry.setIndex(index);
  if (uv) geometry.setAttribute('uv', uv);
  return geometry;
}
