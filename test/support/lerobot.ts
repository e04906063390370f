import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';

const COMPRESSORS = { GZIP: gzipSync, BROTLI: brotliCompressSync };

/** Rows of a LeRobot data file. */
export interface EpisodeRows {
  readonly episode: number;
  /** for each feature, one list per frame */
  readonly features: Readonly<Record<string, readonly (readonly number[])[]>>;
}

/** Writes one data file as `datasets` of Hugging Face does: first a list column per feature, then the indices. */
export function dataFile(
  episodes: readonly EpisodeRows[],
  rowGroupSize = 1000,
  codec: 'SNAPPY' | 'UNCOMPRESSED' | 'GZIP' | 'BROTLI' = 'SNAPPY',
): Uint8Array {
  const features = Object.keys(episodes[0]!.features);
  const frames = ({ features: of }: EpisodeRows) => Object.values(of)[0]!.length;
  const list = (name: string) => [
    { name, repetition_type: 'OPTIONAL' as const, num_children: 1, converted_type: 'LIST' as const },
    { name: 'list', repetition_type: 'REPEATED' as const, num_children: 1 },
    { name: 'element', type: 'FLOAT' as const, repetition_type: 'OPTIONAL' as const },
  ];
  const integer = (name: string) => ({ name, type: 'INT64' as const, repetition_type: 'OPTIONAL' as const });
  const lists = features.map((name) => ({ name, data: episodes.flatMap((one) => one.features[name]!) }));
  const index = (name: string, of: (episode: EpisodeRows, frame: number) => number) => ({
    name,
    data: episodes.flatMap((one) => Array.from({ length: frames(one) }, (_, frame) => BigInt(of(one, frame)))),
  });
  const indices = [index('frame_index', (_, frame) => frame), index('episode_index', ({ episode }) => episode)];
  const buffer = parquetWriteBuffer({
    columnData: [...lists, ...indices] as Parameters<typeof parquetWriteBuffer>[0]['columnData'],
    schema: [
      { name: 'root', num_children: lists.length + indices.length },
      ...features.flatMap(list),
      ...indices.map(({ name }) => integer(name)),
    ],
    rowGroupSize,
    codec,
    ...(codec in COMPRESSORS ? { compressors: COMPRESSORS } : {}),
  });
  return new Uint8Array(buffer);
}

/** Writes `meta/info.json` and data files of a LeRobot dataset.
 *  @param features of `meta/info.json`  @param files data files by path in `data/` */
export function writeLeRobot(
  folder: string,
  features: object,
  files: Readonly<Record<string, Uint8Array>>,
  more: object = {},
): void {
  mkdirSync(path.join(folder, 'meta'), { recursive: true });
  const info = { codebase_version: 'v3.0', robot_type: 'walker', fps: 25, features, ...more };
  writeFileSync(path.join(folder, 'meta/info.json'), JSON.stringify(info));
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(folder, 'data', file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}
