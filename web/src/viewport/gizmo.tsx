import { useEffect, useRef } from 'preact/hooks';
import { cameraAxes, type SnapAxis } from '../scene/camera.ts';
import { viewer } from './view-state.ts';

const AXES: readonly { readonly axis: SnapAxis; readonly name: string }[] = [
  { axis: 'x', name: 'X' },
  { axis: 'y', name: 'Y' },
  { axis: 'z', name: 'Z' },
];
const CENTRE = 28;
const ARM = 20;

/** Shows the world's axes in the camera's orientation. A click on an axis makes the camera look along it. The axes
 *  are updated for each picture without rendering the component. */
export function Gizmo() {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = (azimuth: number, elevation: number) => {
      const element = root.current;
      if (element === null) return;
      const axes = cameraAxes(azimuth, elevation);
      for (const [k, { right, up, toward }] of axes.entries()) {
        const x = CENTRE + ARM * right;
        const y = CENTRE - ARM * up;
        const button = element.children[k + 1] as HTMLElement;
        button.style.transform = `translate(${x - 12}px, ${y - 12}px)`;
        button.style.zIndex = String(Math.round(10 + 5 * toward));
        const line = element.querySelector(`line:nth-child(${k + 1})`);
        line?.setAttribute('x2', String(x));
        line?.setAttribute('y2', String(y));
      }
    };
    return viewer.value?.watchCamera(place);
  }, []);
  return (
    <div class="gizmo" ref={root}>
      <svg viewBox="0 0 56 56" aria-hidden="true">
        {AXES.map(({ axis }) => (
          <line key={axis} class={`axis-${axis}`} x1={CENTRE} y1={CENTRE} x2={CENTRE} y2={CENTRE} />
        ))}
      </svg>
      {AXES.map(({ axis, name }) => (
        <button
          type="button"
          key={axis}
          class={`axis-${axis}`}
          aria-label={`Look along ${name}`}
          title={`Look along ${name}`}
          onClick={() => viewer.value?.snap(axis)}
        >
          <span>{name}</span>
        </button>
      ))}
    </div>
  );
}
