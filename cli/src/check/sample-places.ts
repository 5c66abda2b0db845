/** Where in its dataset the places of a sample's transcript are. */
import type { Position, Transcript } from '../../../core/src/internal.ts'
import { beginningOf, positionsIn } from '../dataset/mistake-place.ts'
import type { GoodSample } from '../dataset/samples.ts'

/**
 * From offsets in `transcript`, which `sample` became, to positions in the file: in a text to the character, through the escapes
 * of its string; in JSON to the message, or to the sample for what is in none. What this takes is done for the first one.
 */
export function placesInDataset(sample: GoodSample, transcript: Transcript): (offset: number) => Position {
  let positionAt: ((offset: number) => Position) | undefined
  let offsetsOf: ((offset: number) => number | undefined) | undefined
  return (offset) => {
    positionAt ??= positionsIn(sample.source)
    offsetsOf ??= offsetsInJson(sample, transcript)
    return positionAt(offsetsOf(offset) ?? beginningOf(sample.source))
  }
}

function offsetsInJson(
  { sample }: GoodSample,
  transcript: Transcript,
): (offset: number) => number | undefined {
  const places = sample.places()
  if (sample.text !== undefined) return (offset) => places?.(offset)
  const { messages } = sample.read(true).conversation
  return (offset) => {
    // The header is the first segment, and each message one of its own.
    const range = messages[transcript.segmentAt(offset).index - 1]?.range
    return range && places?.(range.start)
  }
}
