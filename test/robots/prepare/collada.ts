const RED = '0.8 0.1 0.1 1';
const BLUE = '0.1 0.1 0.8 1';

interface Collada {
  readonly asset?: string;
  /** children of the root node */
  readonly node?: string;
  readonly nodes?: string;
  /** primitives of the geometry `shell` */
  readonly primitives?: string;
  readonly positions?: string;
}

const material = (name: string, colour: string) =>
  `<effect id="${name}-effect"><profile_COMMON><technique sid="common"><lambert><diffuse><color>${colour}</color></diffuse></lambert></technique></profile_COMMON></effect>`;

export const PLACE = `<instance_geometry url="#shell"><bind_material><technique_common>
<instance_material symbol="a" target="#red"/><instance_material symbol="b" target="#blue"/></technique_common></bind_material></instance_geometry>`;

/** Returns a tetrahedron with edges of 1 unit along the axes. Three faces are red, one is blue. */
export function collada({ asset = '', node = PLACE, nodes = '', ...mesh }: Collada = {}): string {
  const positions = mesh.positions ?? '0 0 0  1 0 0  0 1 0  0 0 1';
  const primitives =
    mesh.primitives ??
    `<triangles count="3" material="a"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
<p>0 0 2 0 1 0  0 0 1 0 3 0  0 0 3 0 2 0</p></triangles>
<polylist count="1" material="b"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3</vcount><p>1 2 3</p></polylist>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>${asset}</asset>
<library_effects>${material('red', RED)}${material('blue', BLUE)}</library_effects>
<library_materials><material id="red"><instance_effect url="#red-effect"/></material><material id="blue"><instance_effect url="#blue-effect"/></material></library_materials>
<library_geometries><geometry id="shell"><mesh>
<source id="p"><float_array id="pa" count="12">${positions}</float_array><technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
${primitives}
</mesh></geometry></library_geometries>
<library_nodes>${nodes}</library_nodes>
<library_visual_scenes><visual_scene id="s"><node id="root">${node}</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>`;
}
