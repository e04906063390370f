import { decodeModel } from '../../../src/protocol/binaries.ts';
import type { SceneModel } from '../../../src/protocol/schemas/robots.ts';
import { buildGeometry, type RobotGeometry } from './build-geometry.ts';

export interface GeometryJob {
  readonly seq: number;
  readonly model: Pick<SceneModel, 'bodies' | 'geoms' | 'meshes'>;
  readonly binary: ArrayBuffer;
}

export type GeometryResult =
  | { readonly seq: number; readonly geometry: RobotGeometry }
  | { readonly seq: number; readonly error: string };

interface WorkerScope {
  onmessage: ((event: MessageEvent<GeometryJob>) => void) | null;
  postMessage(message: GeometryResult, transfer: readonly Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data: { seq, model, binary } }) => {
  try {
    const geometry = buildGeometry(model, decodeModel(binary));
    const transfer = geometry.parts.flatMap((part) => [
      part.positions.buffer,
      part.normals.buffer,
      part.bodies.buffer,
      part.indices.buffer,
    ]) as ArrayBuffer[];
    scope.postMessage({ seq, geometry }, transfer);
  } catch (error) {
    scope.postMessage({ seq, error: error instanceof Error ? error.message : String(error) }, []);
  }
};
