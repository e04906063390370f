import { decodeTerrain, type TerrainBinary } from '../../../src/protocol/binaries.ts';
import type { SceneModel } from '../../../src/protocol/schemas/robots.ts';
import { call, callBytes } from '../net/api.ts';
import type { RobotGeometry } from '../scene/build-geometry.ts';
import type { GeometryJob, GeometryResult } from '../scene/geometry.worker.ts';

export interface FetchedModel {
  readonly model: SceneModel;
  readonly geometry: RobotGeometry;
}

let worker: Worker | null = null;
let seq = 0;
const waiting = new Map<number, { resolve: (geometry: RobotGeometry) => void; reject: (error: Error) => void }>();

/** Smoothing 100,000 vertices takes a while: it is done beside the page. */
function geometryOf(model: SceneModel, binary: ArrayBuffer): Promise<RobotGeometry> {
  if (worker === null) {
    worker = new Worker(new URL('../scene/geometry.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<GeometryResult>) => {
      const asked = waiting.get(data.seq);
      waiting.delete(data.seq);
      if ('geometry' in data) asked?.resolve(data.geometry);
      else asked?.reject(new Error(data.error));
    };
    worker.onerror = (event) => {
      for (const { reject } of waiting.values()) reject(new Error(event.message || 'the geometry could not be built'));
      waiting.clear();
    };
  }
  const job: GeometryJob = {
    seq: ++seq,
    model: { bodies: model.bodies, geoms: model.geoms, meshes: model.meshes },
    binary,
  };
  const built = new Promise<RobotGeometry>((resolve, reject) => waiting.set(job.seq, { resolve, reject }));
  worker.postMessage(job, [binary]);
  return built;
}

/** The scene's model, both parts of the same robot: fetched anew when the service changed it in between. */
export async function fetchModel(): Promise<FetchedModel> {
  for (let attempt = 0; ; attempt++) {
    const [model, binary] = await Promise.all([call('GET /api/robot/model'), callBytes('GET /api/robot/model.bin')]);
    if (binary.byteLength === model.bin.bytes || attempt >= 3)
      return { model, geometry: await geometryOf(model, binary) };
  }
}

export async function fetchTerrain(): Promise<TerrainBinary> {
  return decodeTerrain(await callBytes('GET /api/scene/terrain.bin'));
}
