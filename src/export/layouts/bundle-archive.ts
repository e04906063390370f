import { badInput } from '../../core/errors.ts';
import { quoteName, wordProblem } from '../../core/files/names.ts';
import { YamlText } from '../../core/yaml-file.ts';
import { type MotionNpz, readMotionNpz } from '../../formats/motion-npz.ts';
import type { OnnxModel } from '../../formats/onnx/onnx-model.ts';
import { readOnnx } from '../../formats/onnx/read-onnx.ts';
import { inFile } from '../../formats/onnx/read-onnx-file.ts';
import { readZip } from '../../formats/zip.ts';
import type { BundleFiles } from '../bundle-files.ts';

/** Limits of an uploaded bundle. They allow a clip of twenty minutes together with its network. */
const MAX_BYTES = 512 << 20;
const MAX_FILES = 256;
const MAX_DEPTH = 12;
const MAX_TEXT = 1 << 20;

/** The files of a bundle by path, from a zip file or as they were written to a folder. Their content is not trusted. */
export class BundleArchive {
  readonly #files: ReadonlyMap<string, Uint8Array>;

  private constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = files;
  }

  static of(files: BundleFiles): BundleArchive {
    return new BundleArchive(
      new Map(Array.from(files, ([path, parts]) => [path, parts.length === 1 ? parts[0]! : Buffer.concat(parts)])),
    );
  }

  /** Reads a zip file. @param zip its path, or its bytes
   *  @throws StudioError bad_input for a path that leads out of the bundle, and for the same reasons as `readZip` */
  static async unzip(zip: string | Uint8Array): Promise<BundleArchive> {
    const entries = await readZip(zip, wanted, { maxBytes: MAX_BYTES, maxEntries: MAX_FILES });
    return new BundleArchive(new Map(Array.from(entries, ([path, { bytes }]) => [path, bytes])));
  }

  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** Returns the only path that ends with `ending`; null if there is none. @throws StudioError bad_input if there are
   *  several */
  only(ending: string): string | null {
    const found = this.paths.filter((path) => path === ending || path.endsWith(ending));
    if (found.length > 1)
      throw badInput(
        `the bundle contains ${found.slice(0, 3).map(quoteName).join(' and ')}. Upload one policy at a time.`,
      );
    return found[0] ?? null;
  }

  /** Returns the content of a file. @throws StudioError bad_input if it is missing */
  bytes(path: string): Uint8Array {
    const bytes = this.#files.get(path);
    if (!bytes) throw badInput(`the bundle has no file ${quoteName(path)}`);
    return bytes;
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** Reads a YAML file. @throws StudioError bad_input naming file and line */
  yaml(path: string): unknown {
    const bytes = this.bytes(path);
    if (bytes.length > MAX_TEXT) throw badInput(`${path}: is larger than ${MAX_TEXT >> 20} MiB`);
    return new YamlText(new TextDecoder().decode(bytes), path).value;
  }

  /** Reads a model whose weights may be in a separate file in the same folder. @throws StudioError bad_input naming the
   *  file */
  onnx(path: string): OnnxModel {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    try {
      return readOnnx(this.bytes(path), (location) => {
        const data = this.bytes(folder + location);
        return { size: data.length, read: (offset, length) => new Uint8Array(data.slice(offset, offset + length)) };
      });
    } catch (error) {
      throw inFile(path, error);
    }
  }

  /** Reads a converted clip. @throws StudioError bad_input naming the file */
  async motion(path: string): Promise<MotionNpz> {
    try {
      return await readMotionNpz(this.bytes(path));
    } catch (error) {
      throw inFile(path, error);
    }
  }
}

/** Checks the name of an entry of the zip file. Returns the maximum number of bytes to read. @throws StudioError
 *  bad_input for an unsafe name */
function wanted(name: string): number {
  const parts = name.split('/');
  if (parts.at(-1) === '') parts.pop();
  const unsafe =
    name.startsWith('/') ||
    /[\\\0:]/.test(name) ||
    parts.length > MAX_DEPTH ||
    parts.some((part) => part === '' || part === '.' || wordProblem(part) !== null);
  if (unsafe) throw badInput(`the zip file contains the name ${quoteName(name)}, which is not allowed in a bundle`);
  // Skip folders, and the files that macOS adds to zip files.
  return name.endsWith('/') || parts[0] === '__MACOSX' ? 0 : Number.POSITIVE_INFINITY;
}
