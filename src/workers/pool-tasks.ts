import { checkClip } from '../data/clip/check-clip.ts';
import { type ClipFacts, readClipFacts, readManyFacts } from '../data/clip/clip-facts.ts';
import { checkClipFile } from '../data/clip/clip-quality.ts';
import { loadClip } from '../data/clip/load-clip.ts';
import { convertClipFile } from '../data/conversion/convert-clip-file.ts';
import { loadSource, readConversions } from '../data/conversion/load-source.ts';
import { isBundleFile, splitBundle } from '../data/library/split-bundle.ts';
import { listFolder } from '../data/listing/clip-files.ts';
import { loadMotionLibrary, readMotionFacts } from '../motion/library/load-motion-library.ts';
import { groundBytes } from '../play/ground.ts';
import { formatRecord } from '../play/record/record-file.ts';
import { readEmbeddedLibrary } from '../play/run-setup/embedded-library.ts';
import { readRunSetup } from '../play/run-setup/run-setup.ts';
import { formatClipPlots, plotClipStretch } from '../plots/clip-plots-reply.ts';
import { findPrepared } from '../robots/prepared-robot.ts';
import { rankUpload, surveyUpload, surveyUploads } from '../robots/uploads/upload-files.ts';
import { curvesReply } from '../runs/curves/curves-reply.ts';
import { readNewScalars } from '../runs/curves/scalar-files.ts';
import { readRunIdentity } from '../runs/params/read-identity.ts';
import { readCheckpointShape } from '../train/dry-run/checkpoint-shape.ts';
import { tryTraining } from '../train/dry-run/try-training.ts';

/** What the pool's threads can do: pure functions of files, called by name. */
export const POOL_TASKS = {
  checkClip,
  checkClipFile,
  convertClipFile,
  readClipFacts,
  readManyFacts,
  listFolder,
  isBundleFile,
  splitBundle,
  readConversions,
  loadClip,
  loadSource,
  plotClipStretch,
  formatClipPlots,
  loadMotionLibrary,
  readMotionFacts,
  formatRecord,
  groundBytes,
  findPrepared,
  surveyUpload,
  surveyUploads,
  rankUpload,
  readRunIdentity,
  readNewScalars,
  curvesReply,
  readCheckpointShape,
  tryTraining,
  readRunSetup,
  readEmbeddedLibrary,
} as const;

export type PoolTasks = typeof POOL_TASKS;
export type { ClipFacts };
