import { NORMALIZER_EPSILON } from '../../policy/checkpoint/checkpoint-policy.ts';
import { exportPolicy } from '../../policy/onnx/export-policy.ts';
import type { Activation } from '../../policy/policy.ts';
import type { NetworkState } from './write-checkpoint.ts';

/** Metadata for deployment. Lists of names or numbers are stored as comma-separated text. */
export type ExportMetadata = Readonly<Record<string, string | readonly (string | number)[]>>;

/** Exports the actor as `policy.onnx`. The graph includes the normaliser; its output is the mean action. */
export function exportActor(
  { layers, normalizer }: NetworkState,
  activation: Activation,
  metadata: ExportMetadata,
): Uint8Array<ArrayBuffer> {
  return exportPolicy(
    {
      layers,
      activation,
      normalizer: normalizer && {
        mean: Float32Array.from(normalizer.mean),
        std: Float32Array.from(normalizer.variance, Math.sqrt),
        epsilon: NORMALIZER_EPSILON,
      },
    },
    new Map(Object.entries(metadata).map(([key, value]) => [key, typeof value === 'string' ? value : value.join(',')])),
  );
}
