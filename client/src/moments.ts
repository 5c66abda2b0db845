/** When what an edit changes is shown. */

/**
 * In the next frame, or when nothing was typed for a while: the next character may change it again. Problems of what is
 * being typed wait until the typist is idle.
 */
export type Moment = 'frame' | 'pause' | 'idle'

/** In milliseconds: as often as a screen can show a change, longer than between two keystrokes, and longer than a thought. */
export const moments: Readonly<Record<Moment, number>> = { frame: 16, pause: 500, idle: 1000 }
