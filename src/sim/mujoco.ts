import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import loadModule, { type MainModule, type MjModel } from '@mujoco/mujoco';

export type { DoubleBuffer, MainModule, MjData, MjModel, MjSpec, MjsBody, MjsElement, MjsGeom } from '@mujoco/mujoco';

/** MuJoCo's version. Only this version can load compiled models (MJB). */
export const MUJOCO_VERSION = '3.14.0';

/** V8's options for inlining in WebAssembly, by major version of Node. The limits are larger than V8's defaults,
 *  because many functions of MuJoCo's solver call a dozen small ones. */
const INLINING: Readonly<Record<string, readonly string[]>> = {
  20: ['--wasm-inlining', '--wasm-inlining-max-size=1500', '--wasm-inlining-budget=20000'],
  22: [
    '--experimental-wasm-inlining',
    '--wasm-inlining-max-size=1500',
    '--wasm-inlining-budget=20000',
    '--wasm-inlining-factor=10',
  ],
};

let loading: Promise<MainModule> | null = null;

/** Returns the MuJoCo instance of this thread, which is loaded at first use (about 0.1 s, 50 MB). Its heap grows and
 *  never shrinks. */
export function loadMujoco(): Promise<MainModule> {
  loading ??= loadModule();
  return loading;
}

/** Lets V8 inline MuJoCo's small functions. A step of a G1 then takes about an eighth less time, with the same results.
 *  Call it before MuJoCo is loaded. Node 24 and later inline by default. */
export function inlineMujocoFunctions(): void {
  const [major = ''] = process.versions.node.split('.');
  for (const flag of INLINING[major] ?? []) setFlagsFromString(flag);
}

/** Returns the text of a MuJoCo error on one line, without its prefix. */
export function mujocoMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text
    .replace(/^(MuJoCo Error: )?(Loading error: )?((XML )?Error: )*/, '')
    .replaceAll(/\s*\n\s*/g, ', ')
    .trim();
}

const decoder = new TextDecoder();

/** Reads the zero-terminated name at `address` in the model's name buffer; '' for an unnamed object. (mj_id2name
 *  returns garbage for unnamed objects.) */
export function nameAt(model: MjModel, address: number): string {
  const names = model.names as Int8Array;
  const end = names.indexOf(0, address);
  return decoder.decode(Uint8Array.from(names.subarray(address, end)));
}

/** Returns the names of all bodies except the world, in model order, which is the order of poses in frames. */
export function bodyNames(model: MjModel): string[] {
  return Array.from({ length: model.nbody - 1 }, (_, k) => nameAt(model, model.name_bodyadr[k + 1]));
}
