/** Pages in files of their own: those of exports, of statistics, and of reports. */
import { escapedHtml } from '../../core/src/internal.ts'

/** What a page says of itself. */
export interface StillPage {
  /** Text; it is escaped here. */
  readonly title: string
  readonly style: string
  /** As BCP 47 says; default English. */
  readonly language?: string | undefined
}

/**
 * The beginning of a page up to its body. The page needs nothing else: no script, no font, no picture from anywhere. Its policy
 * forbids them, so that text on the page can't bring them in.
 */
export function stillPageHead({ title, style, language = 'en' }: StillPage): string {
  return `<!DOCTYPE html>
<html lang="${escapedHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapedHtml(title)}</title>
<style>${style}</style>
</head>
<body>
`
}
