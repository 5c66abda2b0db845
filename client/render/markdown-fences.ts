/** Transcripts in Markdown: a fence of `openchatml` is shown as users see the conversation, and hidden messages are counted. */
import { escapedHtml, factsOf, Transcript, visibleMessages } from '../../core/src/internal.ts'
import { seenHtml } from './html-document.ts'
import { localize } from './page-texts.ts'

/** What is used of markdown-it, in any version: VS Code brings its own. */
export interface MarkdownRenderer {
  readonly renderer: { readonly rules: { fence?: FenceRule | undefined } }
}

interface Fence {
  readonly info: string
  readonly content: string
}

// biome-ignore lint/suspicious/noExplicitAny: what follows the index belongs to the library, and is passed on
type FenceRule = (tokens: any, index: number, ...rest: any[]) => string

/** What comes after the name of the language, such as attributes, does not make it another one. */
const transcriptInfo = /^\s*\{?\.?(?:openchatml|ocm)(?:[^\w-]|$)/i
const sourceInfo = /^\s*\S+\s+source(?:\s|$)/i

/** Longer text is not shown, in UTF-16 code units: the whole page would wait for it. */
const longestFence = 200_000

/** Has `markdown` show transcripts. A fence of `openchatml source` stays source. */
export function addTranscripts<It extends MarkdownRenderer>(markdown: It): It {
  const { rules } = markdown.renderer
  const { fence } = rules
  rules.fence = (tokens: readonly Fence[], index: number, ...rest: unknown[]) => {
    const { info = '', content = '' } = tokens[index] ?? {}
    const isTranscript = transcriptInfo.test(info) && !sourceInfo.test(info)
    // What has no token has no message, and nothing to hide: a header, for example.
    if (isTranscript && content.includes('<|')) return transcriptHtml(content)
    return fence ? fence(tokens, index, ...rest) : `<pre><code>${escapedHtml(content)}</code></pre>\n`
  }
  return markdown
}

function transcriptHtml(text: string): string {
  const pieces: string[] = []
  if (text.length > longestFence) {
    pieces.push(note(localize`This transcript is too long to be shown here.`))
  } else {
    const transcript = Transcript.parse(text)
    const { lastSegment } = transcript
    let total = 0
    transcript.forEachSegment((segment) => {
      if (factsOf(segment)?.isMessage) total++
    })
    for (const message of visibleMessages({ transcript, lastSegment })) {
      pieces.push(seenHtml({ kind: 'seen', message }, true))
      total--
    }
    if (total === 1) pieces.push(note(localize`1 hidden message`))
    else if (total > 1) pieces.push(note(localize`${total} hidden messages`))
    if (pieces.length === 0) pieces.push(note(localize`This transcript has no messages.`))
  }
  return `<div class="openchatml-transcript">\n${pieces.join('')}</div>\n`
}

function note(text: string): string {
  return `<p class="openchatml-note">${escapedHtml(text)}</p>\n`
}
