import path from 'node:path';
import type { PolicyWeights } from '../policy.ts';
import { type EmbeddedMotion, embeddedMotion } from './embedded-motion.ts';
import { type OnnxMetadata, onnxMetadata } from './onnx-metadata.ts';
import { onnxPolicy } from './onnx-policy.ts';
import { inFile, readOnnxFile } from './read-onnx-file.ts';

/** All that an exported policy's file holds. */
export interface ExportedPolicy {
  readonly weights: PolicyWeights;
  readonly metadata: OnnxMetadata;
  /** the clip that it was trained on, where it is embedded */
  readonly motion: EmbeddedMotion | null;
}

/** Reads an exported policy with what else its file holds. It blocks: for threads that have nothing else to do.
 *  @throws bad_input naming the file and what is wrong in it */
export function readExportedPolicy(file: string): ExportedPolicy {
  const model = readOnnxFile(file);
  try {
    return { weights: onnxPolicy(model), metadata: onnxMetadata(model), motion: embeddedMotion(model) };
  } catch (error) {
    throw inFile(path.basename(file), error);
  }
}
