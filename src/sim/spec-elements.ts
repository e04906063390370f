import type { MainModule, MjSpec, MjsBody, MjsDefault, MjsElement } from '@mujoco/mujoco';

type ObjectKind = Parameters<MainModule['mjs_firstElement']>[1];

/** Lists all elements of a kind in a spec. The list is a copy: it stays valid while elements are deleted. */
export function elements(mj: MainModule, spec: MjSpec, kind: ObjectKind): MjsElement[] {
  const found: MjsElement[] = [];
  let element = mj.mjs_firstElement(spec, kind);
  while (element) {
    found.push(element);
    element = mj.mjs_nextElement(spec, element);
  }
  return found;
}

export function elementNames(mj: MainModule, spec: MjSpec, kind: ObjectKind): string[] {
  return elements(mj, spec, kind).map((element) => mj.mjs_getName(element));
}

/** Lists a body's own elements of a kind, without those of its descendants. */
export function children(mj: MainModule, body: MjsBody, kind: ObjectKind): MjsElement[] {
  const found: MjsElement[] = [];
  let element = mj.mjs_firstChild(body, kind, 0);
  while (element) {
    found.push(element);
    element = mj.mjs_nextChild(body, element, 0);
  }
  return found;
}

/** Calls `add` with MuJoCo's built-in defaults. Elements created from `mjs_getSpecDefault` instead inherit the main
 *  `<default>` of the model file: contact masks, friction, gear, activation dynamics.
 *  @param add creates elements; it must not keep a reference to the defaults, which are freed afterwards */
export function withBuiltInDefaults<T>(mj: MainModule, add: (defaults: MjsDefault) => T): T {
  const blank = mj.parseXMLString('<mujoco/>')!;
  try {
    return add(mj.mjs_getSpecDefault(blank)!);
  } finally {
    blank.delete();
  }
}
