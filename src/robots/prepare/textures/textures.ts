import type { SurfaceTexture } from '../../../sim/geometry.ts';
import type { MainModule, MjSpec } from '../../../sim/mujoco.ts';
import { elements } from '../../../sim/spec-elements.ts';
import { type FileIndex, folderOf, stemOf } from '../find-file.ts';
import type { RobotFiles } from '../model-files.ts';
import { listed } from '../text/wording.ts';
import { pngProblem } from './png.ts';

type Texture = NonNullable<ReturnType<MainModule['mjs_asTexture']>>;

/** Size limit of all texture files of one model, bytes. */
const MAX_BYTES = 32 << 20;
const MAX_TEXTURES = 32;

/** Removes the textures from the spec, so that MuJoCo does not decode them. Reads the textures that geoms of the robot
 *  use. Call it after geoms of the world are removed. Materials keep their colours.
 *  @returns textures by the name of their material, and one sentence for each texture that cannot be drawn */
export function takeTextures(
  mj: MainModule,
  spec: MjSpec,
  modelPath: string,
  files: RobotFiles,
  index: FileIndex,
): { textures: Map<string, SurfaceTexture>; warnings: string[] } {
  const warnings: string[] = [];
  const folders = [`${folderOf(modelPath)}/${spec.compiler.texturedir}`, folderOf(modelPath)];
  const sources = new Map<string, Texture>();
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_TEXTURE)) {
    const texture = mj.mjs_asTexture(element)!;
    sources.set(mj.mjs_getName(element) || stemOf(texture.file), texture);
  }
  const used = usedMaterials(mj, spec);
  const read = new Map<string, SurfaceTexture | null>();
  const textures = new Map<string, SurfaceTexture>();
  let room = MAX_BYTES;
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_MATERIAL)) {
    const name = mj.mjs_getName(element);
    const { textures: roles } = mj.mjs_asMaterial(element)!;
    const { mjTEXROLE_RGB, mjTEXROLE_RGBA } = mj.mjtTextureRole;
    const source = String(roles.get(mjTEXROLE_RGB.value) || roles.get(mjTEXROLE_RGBA.value) || '');
    for (let k = 0; k < roles.size(); k++) roles.set(k, '');
    const texture = sources.get(source);
    if (!used.has(name) || texture === undefined || texture.builtin.value !== mj.mjtBuiltin.mjBUILTIN_NONE.value)
      continue;
    let found = read.get(source);
    if (found === undefined) {
      const result = readTexture(mj, texture, (file) => index.find(file, folders), files, room);
      if (typeof result === 'string') warnings.push(`texture ${source} is not drawn: ${result}`);
      found =
        typeof result === 'string' || read.size >= MAX_TEXTURES ? null : { ...result, name: freeName(source, read) };
      room -= found?.png.byteLength ?? 0;
      read.set(source, found);
    }
    if (found) textures.set(name, found);
  }
  for (const element of elements(mj, spec, mj.mjtObj.mjOBJ_TEXTURE)) mj.mjs_delete(spec, element);
  if (read.size > MAX_TEXTURES) {
    warnings.push(
      `the model has more than ${MAX_TEXTURES} textures. Not drawn: ${listed([...read.keys()].slice(MAX_TEXTURES))}`,
    );
  }
  return { textures, warnings };
}

function usedMaterials(mj: MainModule, spec: MjSpec): Set<string> {
  return new Set([
    ...elements(mj, spec, mj.mjtObj.mjOBJ_GEOM).map((element) => mj.mjs_asGeom(element)!.material),
    ...elements(mj, spec, mj.mjtObj.mjOBJ_MESH).map((element) => mj.mjs_asMesh(element)!.material),
  ]);
}

/** Reads one texture; returns a text with the reason if it cannot be drawn. @param room number of bytes left for the
 *  model */
function readTexture(
  mj: MainModule,
  texture: Texture,
  find: (file: string) => string | null,
  files: RobotFiles,
  room: number,
): Omit<SurfaceTexture, 'name'> | string {
  const [rows, columns] = Array.from(texture.gridsize as Int32Array);
  if (texture.file === '' || rows !== 1 || columns !== 1) return 'it has several images. Use one PNG.';
  if (texture.hflip || texture.vflip) return 'it is flipped by the model. Flip the PNG instead.';
  const path = find(texture.file);
  if (path === null) return `${texture.file.slice(0, 200)} is not among the files`;
  const png = files.get(path)!;
  if (png.byteLength > room) return `the textures of a model may have ${MAX_BYTES} bytes in total`;
  const problem = pngProblem(png);
  return problem === null
    ? { png, cube: texture.type.value !== mj.mjtTexture.mjTEXTURE_2D.value }
    : `${path} ${problem}`;
}

/** Returns a name for the texture in the API that is unique and contains no characters with a meaning in a URL. */
function freeName(name: string, read: ReadonlyMap<string, SurfaceTexture | null>): string {
  const plain =
    name
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(0, 64) || 'texture';
  const taken = new Set([...read.values()].map((texture) => texture?.name));
  let free = plain;
  for (let k = 2; taken.has(free); k++) free = `${plain}-${k}`;
  return free;
}
