/** Legend key of a chart line. @param colour index into the palette; null for the reference */
export function Dash({ colour }: { readonly colour: number | null }) {
  return <i class={`dash ${colour === null ? 'dash-ref' : `dash-${colour + 1}`}`} aria-hidden="true" />;
}
