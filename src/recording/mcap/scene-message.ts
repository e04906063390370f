import { rotate } from '../../core/math/quaternion.ts';
import { MessageWriter } from '../../formats/protobuf/write-message.ts';
import type { ModelBinary } from '../../protocol/binaries.ts';
import { OVERLAY_STRIDE, type Overlay } from '../../protocol/frame.ts';
import type { Geom, SceneModel } from '../../protocol/schemas/robots.ts';
import { visualGeoms } from '../../protocol/visual-geoms.ts';
import type { Instant } from '../instant.ts';

/** Maximum size of a message with the geometry of robots, bytes. Robots beyond this limit are shown with boxes in place
 *  of meshes. */
const MOST_MESH_BYTES = 32 << 20;
/** Numbers of `foxglove.SceneEntityDeletion.Type` and `foxglove.LinePrimitive.Type`. */
const DELETE = { matching: 0, all: 1 } as const;
const LINE_LIST = 2;
const LINE_M = 0.006;
const POINT_M = 0.02;
const ARROW = { shaft: 0.012, head: 0.03, headShare: 0.25 } as const;
const NO_TURN = [1, 0, 0, 0] as const;
const GHOST = [0.35, 0.75, 0.45, 0.35] as const;
const OVERLAY_COLOUR = [0.95, 0.6, 0.15, 1] as const;

type Rgba = readonly number[];

/** Returns the names of the coordinate frames of a robot's bodies, such as `robot_0/pelvis`. */
export function bodyFrames(kind: 'robot' | 'ghost', n: number, bodies: readonly string[]): string[] {
  return Array.from({ length: n }, (_, robot) => bodies.map((body) => `${kind}_${robot}/${body}`)).flat();
}

/** Encodes a `foxglove.SceneUpdate` with one entity per body and robot, locked to the frame of the body. Replaces all
 *  entities of the topic. @param kind ghosts are drawn translucent in one colour */
export function robotsMessage(
  kind: 'robot' | 'ghost',
  n: number,
  { bodies, geoms, meshes }: Pick<SceneModel, 'bodies' | 'geoms' | 'meshes'>,
  binary: ModelBinary,
  at: Instant,
): Uint8Array {
  const update = new MessageWriter().bytes(1, deletion(at, DELETE.all, ''));
  const shapes = new Map<number, Shape[]>();
  for (const geom of visualGeoms({ bodies, geoms })) {
    const list = shapes.get(geom.body) ?? [];
    const colour = kind === 'ghost' ? GHOST : geom.rgba;
    list.push(...shapesOf(geom, colour, geom.mesh === null ? null : meshes[geom.mesh]!, binary));
    shapes.set(geom.body, list);
  }
  let meshBytes = 0;
  for (let robot = 0; robot < n; robot += 1)
    for (const [k, { name }] of bodies.entries()) {
      const frame = `${kind}_${robot}/${name}`;
      const entity = newEntity(at, frame, frame, true);
      for (const { field, content, simple } of shapes.get(k) ?? []) {
        if (simple === null) entity.bytes(field, content);
        else if (meshBytes + content.length <= MOST_MESH_BYTES) {
          meshBytes += content.length;
          entity.bytes(field, content);
        } else entity.bytes(FIELD.cubes, simple);
      }
      update.bytes(2, entity);
    }
  return update.done();
}

/** Encodes a `foxglove.SceneUpdate` that removes all entities of the topic. */
export function emptyScene(at: Instant): Uint8Array {
  return new MessageWriter().bytes(1, deletion(at, DELETE.all, '')).done();
}

/** Encodes the overlays of a frame as a `foxglove.SceneUpdate` in the frame `world`.
 *  @param gone names of overlays that are no longer shown */
export function overlaysMessage(
  overlays: readonly Overlay[],
  blob: ArrayLike<number>,
  gone: Iterable<string>,
  at: Instant,
): Uint8Array {
  const update = new MessageWriter();
  for (const name of gone) update.bytes(1, deletion(at, DELETE.matching, name));
  for (const overlay of overlays) {
    const entity = newEntity(at, 'world', overlay.name, false);
    const colour = colourOf(overlay.colour ?? OVERLAY_COLOUR);
    if (overlay.kind === 'lines') entity.bytes(FIELD.lines, linesOf(overlay, blob, colour));
    else
      for (let from = overlay.offset; from < overlay.offset + overlay.count; from += OVERLAY_STRIDE[overlay.kind]) {
        const [x = 0, y = 0, z = 0, a = 0, b = 0, c = 0] = Array.from({ length: 6 }, (_, k) => blob[from + k]);
        if (overlay.kind === 'arrows') entity.bytes(FIELD.arrows, arrowOf([x, y, z], [a, b, c], colour));
        else {
          const size = overlay.kind === 'spheres' ? 2 * a : POINT_M;
          entity.bytes(FIELD.spheres, solid([x, y, z], NO_TURN, [size, size, size], colour));
        }
      }
    update.bytes(2, entity);
  }
  return update.done();
}

/** Field numbers of `foxglove.SceneEntity`. */
const FIELD = { arrows: 7, cubes: 8, spheres: 9, cylinders: 10, lines: 11, triangles: 12 } as const;

/** An encoded geometric primitive of an entity. */
interface Shape {
  readonly field: number;
  readonly content: Uint8Array;
  /** a box that replaces the primitive if the message would become too large; null for a small primitive */
  readonly simple: Uint8Array | null;
}

function shapesOf(
  geom: Geom,
  rgba: Rgba,
  mesh: SceneModel['meshes'][number] | null,
  binary: ModelBinary,
): readonly Shape[] {
  const { type, pos, quat, size } = geom;
  const [a = 0, b = 0, c = 0] = size;
  const colour = colourOf(rgba);
  const plain = (field: number, content: MessageWriter): Shape => ({ field, content: content.done(), simple: null });
  switch (type) {
    case 'box':
      return [plain(FIELD.cubes, solid(pos, quat, [2 * a, 2 * b, 2 * c], colour))];
    case 'sphere':
      return [plain(FIELD.spheres, solid(pos, quat, [2 * a, 2 * a, 2 * a], colour))];
    case 'ellipsoid':
      return [plain(FIELD.spheres, solid(pos, quat, [2 * a, 2 * b, 2 * c], colour))];
    case 'cylinder':
      return [plain(FIELD.cylinders, cylinder(pos, quat, a, b, colour))];
    case 'capsule': {
      const ends = [1, -1].map((sign) => {
        const end = alongZ(pos, quat, sign * b);
        return plain(FIELD.spheres, solid(end, quat, [2 * a, 2 * a, 2 * a], colour));
      });
      return [plain(FIELD.cylinders, cylinder(pos, quat, a, b, colour)), ...ends];
    }
    case 'mesh':
      return mesh === null ? [] : [meshShape(geom, mesh, binary, colour)];
    case 'plane':
      return [];
  }
}

function meshShape(
  { pos, quat }: Geom,
  { vert: [firstVertex = 0, vertexCount = 0], face: [firstFace = 0, faceCount = 0] }: SceneModel['meshes'][number],
  { vertices, faces }: ModelBinary,
  colour: MessageWriter,
): Shape {
  const points = Buffer.alloc(29 * vertexCount);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < vertexCount; k += 1) {
    points.writeUInt16BE(0x121b, 29 * k); // Field 2, a message of 27 bytes.
    for (let axis = 0; axis < 3; axis += 1) {
      const value = vertices[3 * (firstVertex + k) + axis]!;
      points.writeUInt8(0x09 + 8 * axis, 29 * k + 2 + 9 * axis);
      points.writeDoubleLE(value, 29 * k + 3 + 9 * axis);
      low[axis] = Math.min(low[axis]!, value);
      high[axis] = Math.max(high[axis]!, value);
    }
  }
  const indices = Buffer.alloc(12 * faceCount);
  for (let k = 0; k < 3 * faceCount; k += 1) indices.writeUInt32LE(faces[3 * firstFace + k]!, 4 * k);
  const head = new MessageWriter().bytes(1, poseOf(pos, quat)).done();
  const tail = new MessageWriter().bytes(3, colour).bytes(5, indices).done();
  const middle = low.map((value, axis) => (value + high[axis]!) / 2);
  const size = low.map((value, axis) => high[axis]! - value);
  return {
    field: FIELD.triangles,
    content: Buffer.concat([head, points, tail]),
    simple: solid(moved(pos, quat, middle), quat, size, colour).done(),
  };
}

function linesOf({ offset, count }: Overlay, blob: ArrayLike<number>, colour: MessageWriter): MessageWriter {
  const line = new MessageWriter()
    .int(1, LINE_LIST)
    .bytes(2, poseOf([0, 0, 0], NO_TURN))
    .double(3, LINE_M);
  for (let at = offset; at < offset + count; at += 3) line.bytes(5, vector([blob[at]!, blob[at + 1]!, blob[at + 2]!]));
  return line.bytes(6, colour);
}

/** Encodes an arrow along `along`. If `along` has no length, encodes a short arrow. */
function arrowOf(from: readonly number[], along: readonly number[], colour: MessageWriter): MessageWriter {
  const length = Math.max(POINT_M, Math.hypot(...along));
  const [x = 1, y = 0, z = 0] = along.map((value) => value / length);
  // The shortest rotation from the x axis, along which arrows point, to the direction.
  const turn = x < -0.9999 ? [0, 0, 0, 1] : [1 + x, 0, -z, y];
  const norm = Math.hypot(...turn) || 1;
  return new MessageWriter()
    .bytes(1, poseOf(from, norm === 1 ? turn : turn.map((value) => value / norm)))
    .double(2, length * (1 - ARROW.headShare))
    .double(3, ARROW.shaft)
    .double(4, length * ARROW.headShare)
    .double(5, ARROW.head)
    .bytes(6, colour);
}

/** Encodes a cube or a sphere: pose, size, colour. */
function solid(
  pos: readonly number[],
  quat: readonly number[],
  size: readonly number[],
  colour: MessageWriter,
): MessageWriter {
  return new MessageWriter().bytes(1, poseOf(pos, quat)).bytes(2, vector(size)).bytes(3, colour);
}

/** @param half half length, m */
function cylinder(
  pos: readonly number[],
  quat: readonly number[],
  radius: number,
  half: number,
  colour: MessageWriter,
): MessageWriter {
  return new MessageWriter()
    .bytes(1, poseOf(pos, quat))
    .bytes(2, vector([2 * radius, 2 * radius, 2 * half]))
    .double(3, 1)
    .double(4, 1)
    .bytes(5, colour);
}

function newEntity(at: Instant, frame: string, id: string, isLocked: boolean): MessageWriter {
  return new MessageWriter()
    .bytes(1, stampOf(at))
    .bytes(2, frame)
    .bytes(3, id)
    .bytes(4, new MessageWriter())
    .int(5, isLocked ? 1 : 0);
}

function deletion(at: Instant, type: number, id: string): MessageWriter {
  return new MessageWriter().bytes(1, stampOf(at)).int(2, type).bytes(3, id);
}

export function stampOf({ seconds, nanos }: Instant): MessageWriter {
  return new MessageWriter().int(1, seconds).int(2, nanos);
}

/** @param quat wxyz */
function poseOf(pos: readonly number[], quat: readonly number[]): MessageWriter {
  const [w = 1, x = 0, y = 0, z = 0] = quat;
  return new MessageWriter()
    .bytes(1, vector(pos))
    .bytes(2, new MessageWriter().double(1, x).double(2, y).double(3, z).double(4, w));
}

function vector([x = 0, y = 0, z = 0]: readonly number[]): MessageWriter {
  return new MessageWriter().double(1, x).double(2, y).double(3, z);
}

function colourOf([r = 1, g = 1, b = 1, a = 1]: Rgba): MessageWriter {
  return new MessageWriter().double(1, r).double(2, g).double(3, b).double(4, a);
}

function alongZ(pos: readonly number[], quat: readonly number[], distance: number): number[] {
  return moved(pos, quat, [0, 0, distance]);
}

/** Returns `pos` plus `offset` rotated by `quat` (wxyz). */
function moved(pos: readonly number[], quat: readonly number[], offset: readonly number[]): number[] {
  const turned = rotate([0, 0, 0], quat, offset);
  return pos.map((value, axis) => value + turned[axis]!);
}
