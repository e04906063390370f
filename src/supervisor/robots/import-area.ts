import path from 'node:path';
import type { ReplyOf } from '../../protocol/route.ts';
import type { importFiles, importState } from '../../protocol/routes/robot-import.ts';
import type { RankedFile } from '../../robots/import/model-files.ts';
import type { UploadSurvey } from '../../robots/uploads/upload-files.ts';
import { Uploads } from '../../robots/uploads/uploads.ts';
import type { EventHub } from '../event-hub.ts';
import { RateLimit } from '../rate-limit.ts';
import type { ImportArea as ImportAreaContract } from '../studio.ts';
import type { RobotRegistry } from './robot-registry.ts';

/** Files of an upload come by the hundred: their news are gathered, ms. */
const UPLOAD_EVENT_MS = 200;

export interface ImportDeps {
  /** `<workspace>/robots` */
  readonly folder: string;
  readonly hub: EventHub;
  readonly registry: RobotRegistry;
  /** Work on files, elsewhere than on this thread. */
  readonly files: {
    survey(folder: string): Promise<UploadSurvey>;
    surveyAll(root: string): Promise<(UploadSurvey & { readonly id: string })[]>;
    rank(folder: string): Promise<RankedFile[]>;
  };
}

/** From model files to a robot: uploads, the draft, and the robots that come of them. */
export class ImportArea implements ImportAreaContract {
  readonly #deps: ImportDeps;
  readonly #uploads: Uploads;
  readonly #root: string;
  readonly #news = new Map<string, RateLimit>();

  constructor(deps: ImportDeps) {
    this.#deps = deps;
    this.#root = path.join(deps.folder, '.uploads');
    this.#uploads = new Uploads(this.#root, deps.files.survey);
  }

  async state(): Promise<ReplyOf<typeof importState>> {
    const { folder, registry, files } = this.#deps;
    const saved = registry.list().filter(({ source }) => source.kind === 'folder');
    return {
      folder,
      robots: saved.map(({ id, prepared }) => ({ id, name: prepared?.facts.name ?? id })),
      unfinished: await files.surveyAll(this.#root),
      draft: null,
    };
  }

  async upload(id: string, file: string, chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    const bytes = await this.#uploads.receive(id, file, chunks, signal);
    this.#changed(id);
    return bytes;
  }

  async copy(id: string, source: string, signal: AbortSignal): Promise<{ files: number; bytes: number }> {
    const copied = await this.#uploads.copy(id, source, signal);
    this.#changed(id);
    return copied;
  }

  async files(id: string): Promise<ReplyOf<typeof importFiles>> {
    return { id, files: await this.#deps.files.rank(await this.#uploads.folder(id)) };
  }

  async removeUpload(id: string): Promise<void> {
    await this.#uploads.remove(id);
    this.#changed(id);
  }

  #changed(id: string): void {
    let news = this.#news.get(id);
    if (!news) {
      news = new RateLimit(UPLOAD_EVENT_MS, () => this.#deps.hub.publish('robots', { reason: 'upload', id }));
      this.#news.set(id, news);
    }
    news.trigger();
  }
}
