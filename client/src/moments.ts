/** When what an edit changes is shown. */

/** In the next frame, or when nobody has typed for a while: the next character may change it again. */
export type Moment = 'frame' | 'pause'

/** In milliseconds: as often as a screen can show a change, and longer than between two keystrokes. */
export const moments: Readonly<Record<Moment, number>> = { frame: 16, pause: 500 }
