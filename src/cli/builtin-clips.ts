import { readFile } from 'node:fs/promises';

/** The clips that the build has generated, as `{file name: CSV text}`. The file is missing if the service runs from the
 *  sources. */
const SHIPPED = new URL('../builtin/samples.json', import.meta.url);

/** Returns the clips of the built-in robot as files: name → CSV text. They come from the build, because generating them
 *  takes about a second. */
export async function builtinClips(): Promise<ReadonlyMap<string, string>> {
  try {
    return new Map(Object.entries(JSON.parse(await readFile(SHIPPED, 'utf8')) as Record<string, string>));
  } catch {
    return generateClips(); // the file is missing or damaged
  }
}

/** Generates the clips that `builtinClips` returns. */
export async function generateClips(): Promise<ReadonlyMap<string, string>> {
  const { formatClipCsv } = await import('../formats/csv.ts');
  const { generateClip, PROCEDURAL_CLIPS } = await import('../motion/procedural/generate-clip.ts');
  return new Map(
    PROCEDURAL_CLIPS.map((name) => {
      const { frames, width } = generateClip(name);
      return [`${name}.csv`, formatClipCsv(frames, width)];
    }),
  );
}
