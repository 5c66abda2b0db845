/** A transcript with tools and a call, with the cursor where a test wants it. */
import { type Analysis, analyze, Transcript } from '../../core/src/internal.ts'
import { withCursor } from './marked-text.ts'

/** The message that defines `get_weather` and `get_time`. */
export const declaration = `<|start|>developer<|message|>namespace functions {

// Gets the weather.
type get_weather = (_: {
// The city, e.g. Oslo
location: string,
format?: "celsius" | "fahrenheit", // default: celsius
days?: number,
windy?: boolean,
options?: {
    depth: number,
    tags?: string[],
    },
}) => any;

type get_time = () => any;

}<|end|>
`

/** The header of a call of `get_weather`. */
export const header =
  '<|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>'
/** Its reply. */
export const reply =
  '<|start|>tool name=functions.get_weather call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":true}<|end|>\n'

/** A transcript with the definitions and a call with `body`. */
export function call(body: string): string {
  return `version: 2.2\n${declaration}${header}${body}<|call|>\n`
}

/** The analysis of a text in which `$0` marks the cursor. */
export function opened(marked: string): {
  readonly analysis: Analysis
  readonly text: string
  readonly offset: number
} {
  const { text, offset } = withCursor(marked)
  return { analysis: analyze(Transcript.parse(text)), text, offset }
}
