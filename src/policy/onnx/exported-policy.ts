import path from 'node:path';
import { type OnnxMetadata, onnxMetadata } from '../../formats/onnx/policy-metadata.ts';
import { inFile, readOnnxFile } from '../../formats/onnx/read-onnx-file.ts';
import type { PolicyWeights } from '../policy.ts';
import { type EmbeddedMotion, embeddedMotion } from './embedded-motion.ts';
import { onnxPolicy } from './onnx-policy.ts';

/** The content of an exported policy file. */
export interface ExportedPolicy {
  readonly weights: PolicyWeights;
  readonly metadata: OnnxMetadata;
  /** the embedded clip that the policy was trained on; null if the file contains none */
  readonly motion: EmbeddedMotion | null;
}

/** Reads an exported policy file. Blocks the thread.
 *  @throws StudioError bad_input naming the file and the problem */
export function readExportedPolicy(file: string): ExportedPolicy {
  const model = readOnnxFile(file);
  try {
    return { weights: onnxPolicy(model), metadata: onnxMetadata(model), motion: embeddedMotion(model) };
  } catch (error) {
    throw inFile(path.basename(file), error);
  }
}
