import { useEffect } from 'preact/hooks';
import { contactPath } from '../shared/contact-stretches.ts';
import { contactsOfFeet, useFootContacts } from '../shared/foot-contacts.ts';

/** One lane per foot, filled while its sole is on the floor. Robots with many feet have thinner lanes without names.
 *  @param frames number of frames of the open clip */
export function FootLanes({ frames }: { readonly frames: number }) {
  useEffect(useFootContacts, []);
  const feet = contactsOfFeet.value;
  return (
    <div class="foot-lanes">
      {feet.map((foot, k) => (
        <div class="foot-lane" key={k}>
          {feet.length <= 2 && <span class="lane-name">{foot.name}</span>}
          <svg viewBox={`0 0 ${frames} 1`} preserveAspectRatio="none" aria-hidden="true">
            <path d={contactPath(foot)} />
          </svg>
        </div>
      ))}
    </div>
  );
}
