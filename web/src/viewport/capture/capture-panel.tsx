import './capture.css';
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button, IconButton, Segmented, Switch } from '../../ui/controls.tsx';
import { clock } from '../../ui/format.ts';
import { messageOf } from '../../ui/message-of.ts';
import { Picker } from '../../ui/picker.tsx';
import { failed, toast } from '../../ui/toasts.ts';
import { captureOpen, sceneFacts, viewer } from '../view-state.ts';
import { type CaptureKind, captureName, captureSize, mediaType, SIZES, type VideoFormat } from './capture-formats.ts';
import { LONGEST_S, type Recording, recordGif, recordVideo } from './scene-recorder.ts';

const kind = signal<CaptureKind>('picture');
const size = signal('shown');
const format = signal<VideoFormat>('webm');
const transparent = signal(false);
/** `null`: no recording; `writing`: the file is being written */
const recording = signal<Recording | 'starting' | 'writing' | null>(null);

const ENDING: Readonly<Record<CaptureKind, () => string>> = {
  picture: () => 'png',
  video: () => format.peek(),
  gif: () => 'gif',
};

const typeOf = (one: VideoFormat) =>
  typeof MediaRecorder === 'undefined' ? null : mediaType(one, (type) => MediaRecorder.isTypeSupported(type));
const formats = (['webm', 'mp4'] as const).filter((one) => typeOf(one) !== null);
/** MP4 has no transparency in browsers. */
const opaque = () => kind.value === 'video' && format.value === 'mp4';

function order() {
  const host = document.querySelector('.scene-host');
  const shown = { width: host?.clientWidth ?? 0, height: host?.clientHeight ?? 0, ratio: window.devicePixelRatio };
  return { ...captureSize(size.peek(), kind.peek(), shown), transparent: transparent.peek() && !opaque() };
}

function save(file: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = captureName(sceneFacts.peek()?.robot ?? 'scene', ENDING[kind.peek()](), new Date());
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  toast('ok', `Saved ${link.download}`);
}

async function start(): Promise<void> {
  const view = viewer.peek();
  if (view === null || recording.peek() !== null) return;
  try {
    if (kind.peek() === 'picture') return save(await view.capture(order()));
    recording.value = 'starting';
    recording.value =
      kind.peek() === 'gif' ? await recordGif(view, order()) : await recordVideo(view, order(), typeOf(format.peek())!);
  } catch (error) {
    recording.value = null;
    failed('The scene could not be saved', error);
  }
}

async function stop(): Promise<void> {
  const now = recording.peek();
  if (now === null || typeof now === 'string') return;
  recording.value = 'writing';
  try {
    save(await now.stop());
  } catch (error) {
    toast('error', 'The recording could not be saved', messageOf(error));
  }
  recording.value = null;
}

/** Saves the scene as a picture, video or GIF. Stays open while it records. */
export function CapturePanel() {
  const root = useRef<HTMLElement>(null);
  const open = captureOpen.value || recording.value !== null;
  useEffect(() => {
    if (captureOpen.value) root.current?.querySelector<HTMLElement>('button.on')?.focus();
  }, [captureOpen.value]);
  if (!open) return null;
  return (
    <section
      class="capture"
      aria-label="Save the scene"
      ref={root}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && recording.peek() === null) captureOpen.value = false;
      }}
    >
      {recording.value === null ? <Choices /> : <Progress now={recording.value} />}
    </section>
  );
}

function Choices() {
  return (
    <>
      <header class="capture-head">
        <h2>Save the scene</h2>
        <IconButton
          icon="close"
          label="Close"
          hint="S"
          onClick={() => {
            captureOpen.value = false;
          }}
        />
      </header>
      <Segmented
        label="What to save"
        value={kind.value}
        options={[
          ['picture', 'Picture'],
          ...(formats.length > 0 ? ([['video', 'Video']] as const) : []),
          ['gif', 'GIF'],
        ]}
        onChange={(value) => {
          kind.value = value;
        }}
      />
      <Picker
        label="Size"
        value={size.value}
        onChange={(value) => {
          size.value = value;
        }}
      >
        {SIZES.map(({ id, text }) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
      </Picker>
      {kind.value === 'video' && formats.length > 1 && (
        <Segmented
          label="Format"
          value={format.value}
          options={formats.map((one) => [one, one === 'webm' ? 'WebM' : 'MP4'] as const)}
          onChange={(value) => {
            format.value = value;
          }}
        />
      )}
      <Switch
        label="Transparent background"
        on={transparent.value && !opaque()}
        disabled={opaque()}
        {...(opaque() ? { title: 'MP4 has no transparency. Choose WebM.' } : {})}
        onChange={(on) => {
          transparent.value = on;
        }}
      />
      <Button kind="primary" icon={kind.value === 'picture' ? 'download' : 'record'} onClick={() => void start()}>
        {kind.value === 'picture' ? 'Save PNG' : 'Record'}
      </Button>
    </>
  );
}

function Progress({ now }: { readonly now: Recording | 'starting' | 'writing' }) {
  const time = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (typeof now === 'string') return;
    const longest = kind.peek() === 'gif' ? LONGEST_S.gif : LONGEST_S.video;
    const timer = window.setInterval(() => {
      const seconds = now.seconds();
      if (time.current !== null) time.current.textContent = clock(Math.floor(seconds));
      if (seconds >= longest) void stop();
    }, 200);
    return () => window.clearInterval(timer);
  }, [now]);
  if (typeof now === 'string') {
    return (
      <p class="capture-head" role="status">
        <span class="spinner" aria-hidden="true" /> {now === 'starting' ? 'Starting…' : 'Writing the file…'}
      </p>
    );
  }
  return (
    <p class="capture-head">
      <span class="dot dot-err" aria-hidden="true" />
      <span>Recording</span>
      <span class="num medium" ref={time}>
        0:00
      </span>
      <span class="grow" />
      <Button kind="primary" icon="stop" onClick={() => void stop()}>
        Stop
      </Button>
    </p>
  );
}
