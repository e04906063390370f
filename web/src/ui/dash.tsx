/** The stroke of a chart's line, as a key beside its name. @param colour of the palette, null is the reference */
export function Dash({ colour }: { readonly colour: number | null }) {
  return <i class={`dash ${colour === null ? 'dash-ref' : `dash-${colour + 1}`}`} aria-hidden="true" />;
}
