import {
  BufferAttribute,
  type BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  Quaternion,
  ShaderMaterial,
  Vector3,
} from 'three';
import { cone, ring, sphere } from '../geometry/primitives.ts';
import { shapeGeometry } from '../shape-geometry.ts';

const matrix = new Matrix4();
const UP = new Vector3(0, 0, 1);
const direction = new Vector3();
const turn = new Quaternion();
const place = new Vector3();
const scale = new Vector3();

/** Instances of one shape, refilled for each picture. The capacity grows in powers of two and never shrinks. */
export class MarkerPool {
  mesh: InstancedMesh<BufferGeometry, MeshBasicMaterial>;
  readonly #parent: Object3D;

  constructor(parent: Object3D, geometry: BufferGeometry, opacity: number, renderOrder: number) {
    this.#parent = parent;
    const material = new MeshBasicMaterial({
      transparent: true,
      opacity,
      depthTest: false,
      depthWrite: false,
      toneMapped: false,
    });
    this.mesh = this.#make(geometry, material, 16, renderOrder);
  }

  begin(): void {
    this.mesh.count = 0;
  }

  add(at: Matrix4, colour: Color): void {
    let { mesh } = this;
    if (mesh.count === mesh.instanceMatrix.count) {
      const former = mesh;
      mesh = this.#make(former.geometry, former.material, 2 * former.count, former.renderOrder);
      for (let k = 0; k < former.count; k++) {
        former.getMatrixAt(k, matrix);
        mesh.setMatrixAt(k, matrix);
        former.getColorAt(k, scratchColour);
        mesh.setColorAt(k, scratchColour);
      }
      mesh.count = former.count;
      this.#parent.remove(former);
      former.dispose();
      this.mesh = mesh;
    }
    mesh.setMatrixAt(mesh.count, at);
    mesh.setColorAt(mesh.count, colour);
    mesh.count += 1;
  }

  end(): void {
    const { mesh } = this;
    mesh.visible = mesh.count > 0;
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor !== null) mesh.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.dispose();
  }

  #make(
    geometry: BufferGeometry,
    material: MeshBasicMaterial,
    room: number,
    renderOrder: number,
  ): InstancedMesh<BufferGeometry, MeshBasicMaterial> {
    const mesh = new InstancedMesh(geometry, material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.renderOrder = renderOrder;
    mesh.count = 0;
    mesh.setColorAt(0, scratchColour);
    this.#parent.add(mesh);
    return mesh;
  }
}

const scratchColour = new Color();

export const unitSphere = () => shapeGeometry(sphere(1));
/** Ring with outer radius 1 in the xy plane. */
export const unitRing = () => shapeGeometry(ring(0.88, 1));
/** Cone with its tip at +z, length 1, base radius 1/3. */
export const unitCone = () => shapeGeometry(cone(1 / 3, 1));

/** Returns the matrix of a marker at a point. @param size m */
export function at(x: number, y: number, z: number, size: number): Matrix4 {
  return matrix.makeScale(size, size, size).setPosition(x, y, z);
}

/** Returns the matrix of a marker at a point, with the marker's z axis along (dx, dy, dz). */
// biome-ignore lint/complexity/useMaxParams: runs per marker and picture: an object would be allocated each time
export function along(x: number, y: number, z: number, dx: number, dy: number, dz: number, size: number): Matrix4 {
  direction.set(dx, dy, dz).normalize();
  turn.setFromUnitVectors(UP, direction);
  return matrix.compose(place.set(x, y, z), turn, scale.setScalar(size));
}

/** Lines of constant width on the screen, whatever their distance and the resolution of the picture. Each end has its
 *  own strength (opacity). */
export class Ribbons {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  #from = new InstancedBufferAttribute(new Float32Array(4 * 64), 4);
  #to = new InstancedBufferAttribute(new Float32Array(4 * 64), 4);
  #tint = new InstancedBufferAttribute(new Float32Array(3 * 64), 3);
  #count = 0;
  readonly #height = { value: 1 };

  /** @param width CSS px @param depthTest whether the robot occludes the lines */
  constructor(width: number, depthTest: boolean, renderOrder: number) {
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(Float32Array.of(0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0), 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.mesh = new Mesh(
      geometry,
      new ShaderMaterial({
        transparent: true,
        depthTest,
        depthWrite: false,
        uniforms: { halfWidth: { value: width / 2 }, height: this.#height },
        vertexShader: /* glsl */ `
          attribute vec4 from; attribute vec4 to; attribute vec3 tint;
          uniform float halfWidth, height;
          varying vec4 colour; varying float across;
          void main() {
            vec4 a = viewMatrix * vec4(from.xyz, 1.0);
            vec4 b = viewMatrix * vec4(to.xyz, 1.0);
            vec3 p = mix(a.xyz, b.xyz, position.x);
            vec3 side = cross(b.xyz - a.xyz, p);
            float size = length(side);
            float metresPerPx = -2.0 * p.z / (projectionMatrix[1][1] * height);
            p += size > 1e-9 ? side / size * halfWidth * metresPerPx * position.y : vec3(0.0);
            colour = vec4(tint, mix(from.w, to.w, position.x));
            across = position.y;
            gl_Position = projectionMatrix * vec4(p, 1.0);
          }`,
        fragmentShader: /* glsl */ `
          varying vec4 colour; varying float across;
          void main() {
            gl_FragColor = vec4(colour.rgb, colour.a * (1.0 - smoothstep(0.7, 1.0, abs(across))));
            #include <colorspace_fragment>
          }`,
      }),
    );
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = renderOrder;
    this.#attach();
  }

  /** @param px height of the picture, CSS px */
  setHeight(px: number): void {
    this.#height.value = Math.max(1, px);
  }

  begin(): void {
    this.#count = 0;
  }

  /** @param points x, y, z of the start at `offset`, of the end at `offset + 3`, m
   *  @param fromStrength opacity at the start, 0..1 @param toStrength opacity at the end, 0..1 */
  add(points: ArrayLike<number>, offset: number, colour: Color, fromStrength: number, toStrength: number): void {
    if (this.#count === this.#from.count) this.#grow();
    const k = this.#count;
    this.#from.setXYZW(k, points[offset]!, points[offset + 1]!, points[offset + 2]!, fromStrength);
    this.#to.setXYZW(k, points[offset + 3]!, points[offset + 4]!, points[offset + 5]!, toStrength);
    this.#tint.setXYZ(k, colour.r, colour.g, colour.b);
    this.#count += 1;
  }

  end(): void {
    this.mesh.visible = this.#count > 0;
    this.mesh.geometry.instanceCount = this.#count;
    for (const attribute of [this.#from, this.#to, this.#tint]) attribute.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  #grow(): void {
    const wider = (former: InstancedBufferAttribute) => {
      const data = new Float32Array(2 * former.array.length);
      data.set(former.array);
      return new InstancedBufferAttribute(data, former.itemSize);
    };
    this.#from = wider(this.#from);
    this.#to = wider(this.#to);
    this.#tint = wider(this.#tint);
    this.mesh.geometry.dispose(); // resized buffers must be bound again
    this.#attach();
  }

  #attach(): void {
    const { geometry } = this.mesh;
    for (const attribute of [this.#from, this.#to, this.#tint]) attribute.setUsage(DynamicDrawUsage);
    geometry.setAttribute('from', this.#from);
    geometry.setAttribute('to', this.#to);
    geometry.setAttribute('tint', this.#tint);
  }
}
