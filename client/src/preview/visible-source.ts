/** The core's transcript as a preview session needs it. */
import { analyze, messageView, Transcript, visibleMessages } from '../../../core/src/index.ts'
import type { VisibleSource } from './session.ts'

/** Reads `text` and keeps it up to date; a keystroke parses the edited message only. */
export function parseVisible(text: string): VisibleSource {
  const transcript = Transcript.parse(text)
  const analysis = analyze(transcript)
  const clamp = (offset: number) => Math.max(0, Math.min(offset, transcript.length))
  return {
    get length() {
      return transcript.length
    },
    edit({ offset, length, text: inserted }) {
      analysis.edit([{ start: offset, end: offset + length, text: inserted }])
    },
    visible: () => visibleMessages(analysis),
    lineAt: (offset) => transcript.positionAt(clamp(offset)).line,
    lineStart: (line) =>
      line < transcript.lineCount
        ? transcript.offsetAt({ line: Math.max(0, line), character: 0 })
        : transcript.length + 1,
    messageStart: (offset) => transcript.segmentAt(clamp(offset)).start,
    bodyStart(offset) {
      const { segment, start } = transcript.segmentAt(clamp(offset))
      const body = segment.kind === 'message' ? messageView(segment).body : undefined
      return start + (body?.from ?? 0)
    },
  }
}
