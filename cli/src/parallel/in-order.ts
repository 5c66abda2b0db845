/** Runs many pieces of work at the same time, and hands over their results in the order of the pieces. */

/** A piece of work. */
export interface Piece<Result> {
  /** What it weighs, in the unit of {@link OrderOptions.weight}. */
  readonly weight: number
  /** True if nothing else may run at the same time. */
  readonly isAlone?: boolean
  /** Begins the work. */
  start(): Promise<Result>
}

/** How much may be on its way. */
export interface OrderOptions {
  /** How many pieces; asked before each one. */
  readonly count: () => number
  /** How heavy all of them may be together; a single piece may be heavier. */
  readonly weight: number
}

/** A piece on its way. */
interface Running<Result> {
  readonly result: Promise<Result>
  readonly weight: number
  readonly isAlone: boolean
}

/**
 * The results of `pieces` in their order, each as soon as it is there. A piece is taken and begun only when there is room
 * for it, so neither what waits nor what is done piles up. If taking a piece fails, the results before it still come.
 */
export async function* inOrder<Result>(
  pieces: AsyncIterator<Piece<Result>>,
  { count, weight: mostWeight }: OrderOptions,
): AsyncIterableIterator<Result> {
  const running: Running<Result>[] = []
  let weight = 0
  let asked: Promise<'asked'> | undefined
  let taken: Piece<Result> | undefined
  let isAtEnd = false
  let failure: { readonly error: unknown } | undefined
  const take = async (): Promise<'asked'> => {
    try {
      const next = await pieces.next()
      if (next.done) isAtEnd = true
      else taken = next.value
    } catch (error) {
      isAtEnd = true
      failure = { error }
    }
    asked = undefined
    return 'asked'
  }
  const hasRoomFor = (piece: Piece<Result>) =>
    running.length === 0 || (!piece.isAlone && !running[0]?.isAlone && weight + piece.weight <= mostWeight)
  try {
    while (!isAtEnd || taken || running.length > 0) {
      if (taken && hasRoomFor(taken)) {
        const { weight: own, isAlone = false } = taken
        const result = taken.start()
        result.catch(() => undefined) // its turn to be awaited comes
        running.push({ result, weight: own, isAlone })
        weight += own
        taken = undefined
      }
      if (!taken && !isAtEnd && running.length < count()) asked ??= take()
      const first = running[0]
      if (!first) await asked
      else if (!asked || (await Promise.race([asked, first.result])) !== 'asked') {
        running.shift()
        weight -= first.weight
        yield await first.result
      }
    }
    if (failure) throw failure.error
  } finally {
    if (!isAtEnd) pieces.return?.().catch(() => undefined) // not awaited: it may wait for input that never comes
  }
}
