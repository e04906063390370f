/** A sole lower than this is taken to stand on the floor, m. Kinematics know no force. */
export const CONTACT_HEIGHT = 0.02;
