/** Tries again what a busy machine may make fail once. */

/**
 * What `act` gives, at the last of `attempts` also its failure; `between` clears up what a failed one has left.
 *
 * @template Result
 * @param {() => Promise<Result>} act
 * @param {{ attempts: number, between?: () => Promise<unknown> }} options
 * @returns {Promise<Result>}
 */
export async function patiently(act, { attempts, between = async () => {} }) {
  for (let left = attempts; ; left--) {
    try {
      return await act()
    } catch (error) {
      if (left <= 1) throw error
      await between()
    }
  }
}
