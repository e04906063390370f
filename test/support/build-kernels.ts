import { ensureKernels } from '../../scripts/kernels.mjs';

/** Unit tests run the sources, which need the compiled network kernels beside them. */
export default function buildKernels(): void {
  ensureKernels();
}
