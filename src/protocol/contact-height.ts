/** A sole below this height counts as a contact, m. A preview has no contact forces, only kinematics. */
export const CONTACT_HEIGHT = 0.02;
