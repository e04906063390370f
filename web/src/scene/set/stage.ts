import {
  BufferAttribute,
  BufferGeometry,
  DirectionalLight,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  type PerspectiveCamera,
  Scene,
  type WebGLRenderer,
} from 'three';
import type { TerrainBinary } from '../../../../src/protocol/binaries.ts';
import type { Palette } from '../palette.ts';
import { Floor } from './floor.ts';
import { Sky } from './sky.ts';

const KEY_AZIMUTH = (68 * Math.PI) / 180;
const RIM_AZIMUTH = (225 * Math.PI) / 180;
/** Half the side of the square that the key light's shadow covers, for one robot, m. */
const SHADOW_HALF = 1.8;
/** Terrain with a smaller height difference than this is drawn as the flat floor, m. */
const FLAT_M = 1e-4;

/** Lights, sky and ground. */
export class StageSet {
  readonly scene = new Scene();
  readonly #renderer: WebGLRenderer;
  readonly #sky = new Sky();
  readonly #floor = new Floor();
  readonly #hemisphere = new HemisphereLight(undefined, undefined, 0.5);
  readonly #key = new DirectionalLight();
  readonly #rim = new DirectionalLight();
  #terrain: Mesh<BufferGeometry, MeshStandardMaterial> | null = null;
  #extent = 0;
  /** height of a flat ground, m */
  groundZ = 0;

  constructor(renderer: WebGLRenderer, software: boolean) {
    this.#renderer = renderer;
    const { shadow } = this.#key;
    this.#key.castShadow = true;
    shadow.mapSize.setScalar(software ? 1024 : 2048);
    shadow.radius = software ? 3 : 6;
    shadow.blurSamples = 16;
    shadow.bias = software ? -0.0012 : -0.0004;
    shadow.normalBias = software ? 0.02 : 0.006;
    this.scene.add(
      this.#sky.mesh,
      this.#floor.group,
      this.#hemisphere,
      this.#key,
      this.#key.target,
      this.#rim,
      this.#rim.target,
    );
  }

  restyle(palette: Palette): void {
    this.#sky.restyle(palette);
    this.#floor.restyle(palette);
    this.#hemisphere.color.copy(palette.colour('--vp-hemi-sky'));
    this.#hemisphere.groundColor.copy(palette.colour('--vp-hemi-ground'));
    this.#key.color.copy(palette.colour('--vp-key'));
    this.#key.intensity = palette.keyLight;
    this.#rim.color.copy(palette.colour('--vp-rim'));
    this.#rim.intensity = palette.rimLight;
    this.#renderer.toneMappingExposure = palette.exposure;
  }

  /** Sets the ground. A flat tile is drawn as the floor; other terrain is drawn as a mesh. */
  setTerrain({ vertices, colours, faces }: TerrainBinary): void {
    if (this.#terrain !== null) {
      this.scene.remove(this.#terrain);
      this.#terrain.geometry.dispose();
      this.#terrain.material.dispose();
      this.#terrain = null;
    }
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let k = 2; k < vertices.length; k += 3) {
      low = Math.min(low, vertices[k]!);
      high = Math.max(high, vertices[k]!);
    }
    const flat = !(high - low > FLAT_M);
    this.groundZ = flat && Number.isFinite(low) ? low : 0;
    this.#floor.group.visible = flat;
    if (flat) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(vertices, 3));
    geometry.setAttribute('color', new BufferAttribute(colours, 3, true));
    geometry.setIndex(new BufferAttribute(faces, 1));
    geometry.computeVertexNormals();
    this.#terrain = new Mesh(geometry, new MeshStandardMaterial({ vertexColors: true, roughness: 0.9, metalness: 0 }));
    this.#terrain.receiveShadow = true;
    this.scene.add(this.#terrain);
  }

  /** Sets how many px of the picture one device px has: less than 1 for a coarse picture. Grid lines keep their
   *  width. */
  setPixels(size: number): void {
    this.#floor.setPixels(size);
  }

  /** Shows or hides sky and floor. The shadow on the floor stays. */
  setBackdrop(shown: boolean): void {
    this.#sky.mesh.visible = shown;
    this.#floor.setSurface(shown);
  }

  /** Moves lights and ground to the camera's target. @param extent half width of the scene, m; 0 for one robot */
  place(x: number, y: number, camera: PerspectiveCamera, extent: number): void {
    this.#sky.update(camera);
    this.#floor.place(x, y, this.groundZ, Math.max(1, extent / 5));
    const { shadow } = this.#key;
    const half = Math.max(SHADOW_HALF, extent);
    if (half !== this.#extent) {
      this.#extent = half;
      Object.assign(shadow.camera, {
        left: -half,
        right: half,
        top: half,
        bottom: -half,
        near: 0.5,
        far: 20 + 2 * half,
      });
      shadow.camera.updateProjectionMatrix();
    }
    // Move the shadow map by whole texels, so that shadow edges do not flicker while the light follows the target.
    const texel = (2 * half) / shadow.mapSize.x;
    const sx = Math.round(x / texel) * texel;
    const sy = Math.round(y / texel) * texel;
    const reach = 1 + half / 6;
    this.#key.target.position.set(sx, sy, this.groundZ + 0.6);
    this.#key.position.set(
      sx + 3.4 * Math.cos(KEY_AZIMUTH) * reach,
      sy + 3.4 * Math.sin(KEY_AZIMUTH) * reach,
      this.groundZ + 0.6 + 5.6 * reach,
    );
    this.#rim.target.position.set(x, y, this.groundZ + 0.6);
    this.#rim.position.set(x + 4 * Math.cos(RIM_AZIMUTH), y + 4 * Math.sin(RIM_AZIMUTH), this.groundZ + 3.2);
  }

  dispose(): void {
    this.#floor.dispose();
    this.#sky.dispose();
    this.#key.dispose();
    this.#terrain?.geometry.dispose();
    this.#terrain?.material.dispose();
  }
}
