/** A deadline for what may never answer. */

/** What `answer` brings within `milliseconds`, else `otherwise`. What comes later is dropped. */
export async function inTime<Answer, Otherwise>(
  answer: Promise<Answer>,
  milliseconds: number,
  otherwise: Otherwise,
): Promise<Answer | Otherwise> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<Otherwise>((done) => {
    timer = setTimeout(() => done(otherwise), milliseconds)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
