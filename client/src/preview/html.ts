/** The page of a preview before it has any content. Its policy allows its own script and style, images from `data:`, and nothing else. */

import { escapedHtml, localize, type Translations } from '../../../core/src/internal.ts'

/** What the page is made of. */
export interface PageParts {
  /** Fresh for every page; never predictable. */
  readonly nonce: string
  /** Address of the script. */
  readonly script: string
  /** Address of the style sheet. */
  readonly style: string
  /** Of the editor, as a language tag; English if absent. */
  readonly language?: string
  /** What the page says in that language. */
  readonly translations?: Translations | undefined
}

/** The policy of a page: no remote resource, no inline script, no inline style, no frame, no form; `allowed` besides. */
export function pagePolicy(nonce: string, ...allowed: readonly string[]): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    ...allowed,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
}

/** The whole document. It contains no text of a transcript. */
export function previewHtml(parts: PageParts): string {
  const policy = pagePolicy(parts.nonce, 'img-src data:') // images that are in the text itself
  return pageHtml(parts, { title: localize`Preview`, policy })
}

/** A document that holds nothing but its script and style. */
export function pageHtml(
  { nonce, script, style, language = 'en', translations = {} }: PageParts,
  { title, policy }: { readonly title: string; readonly policy: string },
): string {
  return `<!DOCTYPE html>
<html lang="${escapedHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapedHtml(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)}</title>
<link rel="stylesheet" nonce="${escapedHtml(nonce)}" href="${escapedHtml(style)}">
</head>
<body data-translations="${escapedHtml(JSON.stringify(translations))}">
<script nonce="${escapedHtml(nonce)}" src="${escapedHtml(script)}"></script>
</body>
</html>
`
}

/** A nonce of 128 random bits. */
export function freshNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
