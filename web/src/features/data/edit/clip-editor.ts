import { computed, signal } from '@preact/signals';
import type { Preview } from '../../../../../src/protocol/schemas/data.ts';
import type { EditStep } from '../../../../../src/protocol/schemas/edit.ts';
import type { call } from '../../../net/api.ts';
import { LatestSender } from '../../../net/latest-sender.ts';
import { messageOf } from '../../../ui/message-of.ts';
import type { EditedClip } from '../edit-mode.ts';
import { clipDuration } from '../timeline-scale.ts';
import { EditHistory } from './edit-history.ts';
import { type StepProblem, stepProblem } from './step-problem.ts';

type Steps = readonly EditStep[];

/** End of the kept range that the scene seeks to. */
type End = 'start' | 'end';

interface Shown {
  readonly steps: Steps;
  readonly part: number;
  readonly goTo: End | null;
}

/** Dependencies of ClipEditor. */
export interface ClipEditorDeps {
  readonly call: typeof call;
  readonly takePreview: (preview: Preview) => void;
  readonly seek: (frame: number) => void;
}

/** Steps of an edit, with undo and redo. The service computes each change and shows the result in the scene. No file is
 *  written before `save`. */
export class ClipEditor {
  readonly clip: EditedClip;
  readonly #deps: ClipEditorDeps;
  readonly #history = new EditHistory<Steps>([]);
  /** steps with the present position of a dragged handle; null if no handle is dragged */
  readonly #dragged = signal<Steps | null>(null);
  #lastShown: Shown = { steps: [], part: 0, goTo: null };

  readonly steps = computed(() => this.#dragged.value ?? this.#history.now.value);
  readonly canUndo = this.#history.canUndo;
  readonly canRedo = this.#history.canRedo;
  /** length and frame rate of the clip without steps; null until known */
  readonly source = signal<{ readonly frames: number; readonly fps: number } | null>(null);
  /** why the service cannot apply the steps */
  readonly error = signal<StepProblem | null>(null);
  /** whether the scene shows this edit; false until the service has computed it */
  readonly shown = signal(false);
  /** shown part of a split, counted from 0, and number of parts */
  readonly part = signal<{ readonly part: number; readonly parts: number }>({ part: 0, parts: 1 });
  /** length of the source, s */
  readonly duration = computed(() => clipDuration(this.source.value?.frames ?? 0, this.source.value?.fps ?? 0));
  /** range of the source that the first trim keeps, s */
  readonly range = computed(() => {
    const { from_s: from, to_s: to } = this.steps.value[0]?.trim ?? { from_s: 0, to_s: this.duration.value };
    return { from, to };
  });

  constructor(clip: EditedClip, deps: ClipEditorDeps) {
    this.clip = clip;
    this.#deps = deps;
    this.#show();
  }

  /** Sets the steps; `undo` restores the previous steps. */
  change(steps: Steps): void {
    this.#dragged.value = null;
    this.#history.push(steps);
    this.#show();
  }

  /** Previews a trim of the source while its handle is dragged. @param end the dragged handle */
  dragTrim(from: number, to: number, end: End): void {
    this.#dragged.value = this.#trimmed(from, to);
    this.#show(end);
  }

  /** Applies the dragged trim. */
  dropTrim(): void {
    const dragged = this.#dragged.peek();
    if (dragged !== null) this.change(dragged);
  }

  /** Returns to the trim before the handle was dragged. */
  cancelTrim(): void {
    if (this.#dragged.peek() === null) return;
    this.#dragged.value = null;
    this.#show();
  }

  undo(): void {
    this.#dragged.value = null;
    this.#history.undo();
    this.#show();
  }

  redo(): void {
    this.#dragged.value = null;
    this.#history.redo();
    this.#show();
  }

  showPart(part: number): void {
    this.part.value = { ...this.part.peek(), part };
    this.#show();
  }

  /** Marks the edit as no longer shown in the scene. The steps are kept. */
  leave(): void {
    this.#dragged.value = null;
    this.shown.value = false;
  }

  /** Shows the edit in the scene again. */
  resume(): void {
    this.#show();
  }

  /** Starts writing the new clips. @returns the busy task
   *  @throws Error with the service's message */
  async save(name: string, into: string): Promise<{ task: string }> {
    const { dataset, clip } = this.clip;
    return this.#deps.call('POST /api/data/edit', {
      body: { dataset, clip, steps: [...this.steps.peek()], name, into },
    });
  }

  #trimmed(from: number, to: number): Steps {
    const steps = this.#history.now.peek();
    const trim: EditStep = { trim: { from_s: from, to_s: to } };
    return steps[0]?.trim ? [trim, ...steps.slice(1)] : [trim, ...steps];
  }

  #show(goTo: End | null = null): void {
    this.#sender.push('edit', { steps: this.steps.peek(), part: this.part.peek().part, goTo });
  }

  readonly #sender = new LatestSender<'edit', Shown, Preview>(
    (_, shown) => {
      this.#lastShown = shown;
      const { dataset, clip } = this.clip;
      return this.#deps.call('POST /api/data/edit/preview', {
        body: { dataset, clip, steps: [...shown.steps], part: shown.part },
      });
    },
    (_, reply) => {
      this.error.value = null;
      this.#deps.takePreview(reply);
      this.shown.value = true;
      if (reply.edit != null) this.part.value = reply.edit;
      const { steps, goTo } = this.#lastShown;
      if (steps.length === 0) this.source.value = { frames: reply.frames, fps: reply.fps };
      if (goTo !== null) this.#deps.seek(goTo === 'start' ? 0 : reply.frames - 1);
    },
    (_, error) => {
      this.error.value = stepProblem(messageOf(error), this.#lastShown.steps);
    },
  );
}
