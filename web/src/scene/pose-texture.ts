import { DataTexture, FloatType, type IUniform, NearestFilter, RGBAFormat } from 'three';

/** Poses of all bodies of all robots, as read by the vertex shaders. One row per robot, two texels per body: x y z
 *  and the body's error in m; quaternion x y z w. The page never computes body matrices. */
export class PoseTexture {
  readonly uniform: IUniform<DataTexture>;
  #n = 0;
  #nbody = 0;
  #data = new Float32Array(8);

  constructor() {
    this.uniform = { value: makeTexture(this.#data, 2, 1) };
  }

  get n(): number {
    return this.#n;
  }

  get nbody(): number {
    return this.#nbody;
  }

  /** Copies `n` × `nbody` poses (position, quaternion wxyz) from `blob` at `offset`.
   *  @param errors (n, nbody) starting at `first`, m: body errors for the tint; null for no tint */
  // biome-ignore lint/complexity/useMaxParams: runs per frame: an object of arguments would be allocated each time
  write(
    blob: Float32Array,
    offset: number,
    n: number,
    nbody: number,
    errors: Float32Array | null = null,
    first = 0,
  ): void {
    if (n !== this.#n || nbody !== this.#nbody) this.#resize(n, nbody);
    const data = this.#data;
    let from = offset;
    for (let to = 0; to < data.length; to += 8, from += 7) {
      data[to] = blob[from]!;
      data[to + 1] = blob[from + 1]!;
      data[to + 2] = blob[from + 2]!;
      data[to + 3] = errors === null ? 0 : errors[first + to / 8]!;
      data[to + 4] = blob[from + 4]!;
      data[to + 5] = blob[from + 5]!;
      data[to + 6] = blob[from + 6]!;
      data[to + 7] = blob[from + 3]!;
    }
    this.uniform.value.needsUpdate = true;
  }

  dispose(): void {
    this.uniform.value.dispose();
  }

  #resize(n: number, nbody: number): void {
    this.#n = n;
    this.#nbody = nbody;
    this.#data = new Float32Array(8 * n * nbody);
    this.uniform.value.dispose();
    this.uniform.value = makeTexture(this.#data, 2 * nbody, n);
  }
}

function makeTexture(data: Float32Array<ArrayBuffer>, width: number, height: number): DataTexture {
  const texture = new DataTexture(
    data,
    width,
    height,
    RGBAFormat,
    FloatType,
    undefined,
    undefined,
    undefined,
    NearestFilter,
    NearestFilter,
  );
  texture.generateMipmaps = false;
  return texture;
}

/** GLSL for vertex shaders: attribute `body` is the vertex's body index, the instance index is the robot. */
export const POSE_PARS = /* glsl */ `
uniform highp sampler2D poses;
attribute float body;
vec4 bodyTexel(float index, int k) { return texelFetch(poses, ivec2(2 * int(index) + k, gl_InstanceID), 0); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;
export const POSE_NORMAL = 'turned(bodyTexel(body, 1), normal)';
export const POSE_POSITION = 'bodyTexel(body, 0).xyz + turned(bodyTexel(body, 1), position)';
