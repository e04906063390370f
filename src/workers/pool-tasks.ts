/** What the pool's threads can do: pure functions of files, called by name. A thread loads the modules of a task with its
 *  first one: a new thread would otherwise load all of the training and play code before it reads a clip. */
export const POOL_TASKS = {
  checkClip: async () => (await import('../data/clip/check-clip.ts')).checkClip,
  checkClipFile: async () => (await import('../data/clip/clip-quality.ts')).checkClipFile,
  convertClipFile: async () => (await import('../data/conversion/convert-clip-file.ts')).convertClipFile,
  readClipFacts: async () => (await import('../data/clip/clip-facts.ts')).readClipFacts,
  readManyFacts: async () => (await import('../data/clip/clip-facts.ts')).readManyFacts,
  listFolder: async () => (await import('../data/listing/clip-files.ts')).listFolder,
  isBundleFile: async () => (await import('../data/library/split-bundle.ts')).isBundleFile,
  splitBundle: async () => (await import('../data/library/split-bundle.ts')).splitBundle,
  readConversions: async () => (await import('../data/conversion/load-source.ts')).readConversions,
  loadClip: async () => (await import('../data/clip/load-clip.ts')).loadClip,
  loadSource: async () => (await import('../data/conversion/load-source.ts')).loadSource,
  plotClipStretch: async () => (await import('../plots/clip-plots-reply.ts')).plotClipStretch,
  formatClipPlots: async () => (await import('../plots/clip-plots-reply.ts')).formatClipPlots,
  loadMotionLibrary: async () => (await import('../motion/library/load-motion-library.ts')).loadMotionLibrary,
  readMotionFacts: async () => (await import('../motion/library/load-motion-library.ts')).readMotionFacts,
  formatRecord: async () => (await import('../play/record/record-file.ts')).formatRecord,
  groundBytes: async () => (await import('../play/ground.ts')).groundBytes,
  findPrepared: async () => (await import('../robots/prepared-robot.ts')).findPrepared,
  surveyUpload: async () => (await import('../robots/uploads/upload-files.ts')).surveyUpload,
  surveyUploads: async () => (await import('../robots/uploads/upload-files.ts')).surveyUploads,
  rankUpload: async () => (await import('../robots/uploads/upload-files.ts')).rankUpload,
  readRunIdentity: async () => (await import('../runs/params/read-identity.ts')).readRunIdentity,
  readNewScalars: async () => (await import('../runs/curves/scalar-files.ts')).readNewScalars,
  curvesReply: async () => (await import('../runs/curves/curves-reply.ts')).curvesReply,
  readCheckpointShape: async () => (await import('../train/dry-run/checkpoint-shape.ts')).readCheckpointShape,
  tryTraining: async () => (await import('../train/dry-run/try-training.ts')).tryTraining,
  readRunSetup: async () => (await import('../play/run-setup/run-setup.ts')).readRunSetup,
  readEmbeddedLibrary: async () => (await import('../play/run-setup/embedded-library.ts')).readEmbeddedLibrary,
} as const;

export type PoolTasks = { readonly [T in keyof typeof POOL_TASKS]: Awaited<ReturnType<(typeof POOL_TASKS)[T]>> };
