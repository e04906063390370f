import type { MainModule } from '../../sim/mujoco.ts';
import { type FileIndex, fileIndex, isOfOtherPackage, stemOf } from './find-file.ts';
import { commonLimit, MAX_TOTAL_FACES, statedFaces } from './meshes/face-budget.ts';
import { type ColouredPart, intakeMesh, type MeshIntake } from './meshes/intake.ts';
import type { RobotFiles } from './model-files.ts';

/** A mesh reference that cannot be used. */
export interface UnusableMesh {
  readonly usable: false;
  /** path of the uploaded file, null if it is missing */
  readonly path: string | null;
  readonly problem: string;
}

/** A mesh that was written to the model folder. */
export interface UsableMesh {
  readonly usable: true;
  /** path of the uploaded file */
  readonly path: string;
  /** path for MuJoCo, relative to the model folder */
  readonly file: string;
}

/** A mesh that was written to the model folder as one file per colour. */
export interface ColouredMesh {
  readonly usable: true;
  readonly path: string;
  readonly parts: readonly { readonly file: string; readonly rgba: ColouredPart['rgba'] }[];
}

/** A reference of a model to a mesh file. */
export interface MeshUse {
  readonly reference: string;
  /** folders that a relative reference may start from */
  readonly folders: readonly string[];
  /** references to the same file with the same variant share one mesh */
  readonly variant: string;
}

/** A folder in MuJoCo's in-memory file system with the meshes of one model. Collects the warnings about converted
 *  meshes. */
export class ModelFolder {
  readonly index: FileIndex;
  /** absolute, ends with "/" */
  readonly path: string;
  readonly warnings: string[] = [];
  private readonly intakes = new Map<string, MeshIntake>();
  private readonly owned = new Map<string, string>();
  private readonly stems = new Set<string>();

  /** maximum number of faces per mesh */
  private limit = Number.POSITIVE_INFINITY;

  private readonly mj: MainModule;
  private readonly files: RobotFiles;

  constructor(mj: MainModule, files: RobotFiles) {
    this.mj = mj;
    this.files = files;
    this.index = fileIndex(files);
    // Use a new folder for each model, because MuJoCo caches decoded meshes by path.
    let number = 1;
    while (mj.FS.analyzePath(`/model-${number}`, false).exists) number++;
    this.path = `/model-${number}/`;
    mj.FS.mkdir(this.path.slice(0, -1));
  }

  /** Limits the number of faces of all meshes of a model together. Call it before `mesh` and `colouredMesh`. It reads
   *  the numbers of faces that the files state and sets one common limit, to which the larger meshes are reduced. */
  plan(uses: Iterable<MeshUse>): void {
    const stated = new Map<string, number>();
    const ofFile = new Map<string, number>();
    for (const { reference, folders, variant } of uses) {
      const path = this.index.find(reference, folders);
      if (path === null) continue;
      const faces = ofFile.get(path) ?? statedFaces(path, this.files.get(path)!);
      ofFile.set(path, faces);
      stated.set(`${path}\0${variant}`, faces);
    }
    const faces = [...stated.values()];
    this.limit = commonLimit(faces, MAX_TOTAL_FACES);
    if (this.limit === Number.POSITIVE_INFINITY) return;
    const total = faces.reduce((sum, count) => sum + count, 0);
    this.warnings.push(
      `the meshes have ${Math.round(total)} faces in total, the limit is ${MAX_TOTAL_FACES}: meshes with more than ${this.limit} faces are reduced to that number`,
    );
  }

  /** Finds the mesh that a model refers to, converts it if needed, and writes it to the folder.
   *  @param folders folders that a relative reference may start from
   *  @param variant makes the written file name unique per file and variant: URDF identifies meshes by file name and
   *  may scale one file in several ways */
  mesh(reference: string, folders: readonly string[], variant?: string): UsableMesh | UnusableMesh {
    const found = this.find(reference, folders);
    if (!found.usable) return found;
    const { path, intake } = found;
    const file = variant === undefined ? writtenName(path, intake) : this.ownName(path, variant, intake.ending);
    this.write(file, intake.bytes);
    return { usable: true, path, file };
  }

  /** Does the same as {@link mesh}, but writes one file for each colour that the mesh file states. */
  colouredMesh(reference: string, folders: readonly string[], variant: string): ColouredMesh | UnusableMesh {
    const found = this.find(reference, folders);
    if (!found.usable) return found;
    const { path, intake } = found;
    const parts = (intake.parts ?? [{ bytes: intake.bytes, rgba: null }]).map(({ bytes, rgba }, k, { length }) => {
      const file = this.ownName(path, length === 1 ? variant : `${variant}\0${k}`, intake.ending);
      this.write(file, bytes);
      return { file, rgba };
    });
    return { usable: true, path, parts };
  }

  private find(
    reference: string,
    folders: readonly string[],
  ): { usable: true; path: string; intake: MeshIntake & { usable: true } } | UnusableMesh {
    const path = this.index.find(reference, folders);
    if (path === null) return { usable: false, path, problem: 'is not among the files' };
    let intake = this.intakes.get(path);
    if (!intake) {
      intake = intakeMesh(path, this.files.get(path)!, this.limit);
      this.intakes.set(path, intake);
      if (intake.usable && intake.change !== null) this.warnings.push(`mesh ${path} ${intake.change}`);
    }
    const guess = `mesh ${path} is used for ${reference.slice(0, 200)}, which is not among the files. Upload that file if it has another shape`;
    if (isOfOtherPackage(reference, path, folders) && !this.warnings.includes(guess)) this.warnings.push(guess);
    return intake.usable ? { usable: true, path, intake } : { usable: false, path, problem: intake.problem };
  }

  private ownName(path: string, variant: string, ending: string): string {
    const key = `${path}\0${variant}`;
    const known = this.owned.get(key);
    if (known !== undefined) return known;
    const stem = stemOf(path);
    let free = stem;
    for (let k = 2; this.stems.has(free); k++) free = `${stem}-${k}`;
    this.stems.add(free);
    const file = free + ending;
    this.owned.set(key, file);
    return file;
  }

  private write(file: string, bytes: Uint8Array): void {
    const { FS } = this.mj;
    const target = `${this.path}${file}`;
    if (FS.analyzePath(target, false).exists) return;
    const parts = file.split('/');
    for (let k = 1; k < parts.length; k++) {
      const folder = `${this.path}${parts.slice(0, k).join('/')}`;
      if (!FS.analyzePath(folder, false).exists) FS.mkdir(folder);
    }
    FS.writeFile(target, bytes);
  }
}

/** Returns the name of the written file. A converted file gets a second extension, because another file may already
 *  have the name with the new extension. */
function writtenName(path: string, { ending, change }: MeshIntake & { usable: true }): string {
  return change === null && path.toLowerCase().endsWith(ending) ? path : path + ending;
}
