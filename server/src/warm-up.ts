/**
 * Runs what the first document needs before it comes: parsers are loaded and code is compiled when they are first used,
 * which takes longer than to read a transcript of a megabyte.
 */
import { Document, releaseTexts } from '../../core/src/internal.ts'
import { inBackground } from './scheduler.ts'

/** Each for one thing that is slow the first time, so that input gets through in between. */
export const warmUpSamples: readonly string[] = [
  'version: 2.2\nmodel: gpt-oss-120b\n\n<|start|>system<|message|>Be brief.<|end|>\n',
  `<|start|>developer<|message|># Tools

## functions

namespace functions {

// Gets the weather.
type get_weather = (_: {
// The city.
location: string,
format?: "celsius" | "fahrenheit", // default: celsius
}) => any;

} // namespace functions<|end|>
`,
  `<|start|>user<|message|>Grüße. Write <<|end|> or <|literal|><|start|><|endliteral|>.<|end|>
<|start|>assistant<|channel|>analysis<|message|>I call a tool.<|end|>
<|start|>assistant to=functions.get_weather call_id=call_1<|channel|>commentary<|constrain|>json<|message|>{"location":"Paris"}<|call|>
<|start|>tool name=functions.get_weather call_id=call_1 to=assistant<|channel|>commentary<|message|>{"ok":true,"content":{}}<|end|>
<|start|>assistant<|channel|>final<|message|>\`\`\`ts
const one = 1
\`\`\`
It is warm.<|return|>
`,
]

const restMilliseconds = 50 // a client that starts the server for a document sends it right after `initialized`

/**
 * Checks small transcripts, a piece at a time, once the client has sent no document for a while, as long as `isWanted`: one who
 * opens a document waits for none of them.
 */
export async function warmUp(isWanted: () => boolean): Promise<void> {
  await new Promise((done) => setTimeout(done, restMilliseconds))
  let count = 0
  await inBackground(isWanted, () => {
    const text = warmUpSamples[count++]
    if (text === undefined) return true
    new Document(text).problems()
    releaseTexts()
    return false
  })
}
