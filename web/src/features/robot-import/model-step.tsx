import { Badge } from '../../ui/controls.tsx';
import { bytes, count } from '../../ui/format.ts';
import { Empty } from '../../ui/states.tsx';
import { chosenModel, modelFiles, working } from './wizard-store.ts';

const KIND = { mesh: 'mesh', texture: 'texture', other: 'other file' } as const;

/** Choice of the model file; the most likely file comes first. */
export function ModelStep() {
  const files = modelFiles.value;
  const models = files.filter(({ kind }) => kind === 'mjcf' || kind === 'urdf');
  const others = (Object.keys(KIND) as (keyof typeof KIND)[])
    .map((kind) => [kind, files.filter((file) => file.kind === kind).length] as const)
    .filter(([, n]) => n > 0)
    .map(([kind, n]) => (kind === 'mesh' ? (n === 1 ? '1 mesh' : `${n} meshes`) : count(n, KIND[kind])));
  if (models.length === 0) {
    return (
      <Empty icon="warn" title="The files contain no model">
        <p class="dim">A robot needs an MJCF (.xml) or a URDF (.urdf). Found: {others.join(', ')}.</p>
      </Empty>
    );
  }
  return (
    <div class="import-scroll import-form">
      <fieldset class="import-models" disabled={working.value !== null}>
        <legend>Main model</legend>
        {models.map((file) => (
          <label key={file.path} class={file.path === chosenModel.value ? 'on' : ''}>
            <input
              type="radio"
              name="main-model"
              checked={file.path === chosenModel.value}
              onChange={() => {
                chosenModel.value = file.path;
              }}
            />
            <span class="mono grow import-break">{file.path}</span>
            {file.main && <Badge kind="neutral">Most likely</Badge>}
            <span class="dim">{file.kind === 'mjcf' ? 'MJCF' : 'URDF'}</span>
            <span class="dim num import-size">{bytes(file.bytes)}</span>
          </label>
        ))}
      </fieldset>
      {others.length > 0 && <p class="dim num">Also uploaded: {others.join(', ')}.</p>}
    </div>
  );
}
