/** The page of a dataset before it has any content. Its policy allows its own script and style, and nothing else. */
import { localize } from '../../../core/src/index.ts'
import type { PageParts } from '../preview/html.ts'

/** The policy: no resource but the two files of the page, nothing inline. */
export function datasetPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ')
}

/** The whole document. It contains no text of a dataset. */
export function datasetHtml({ nonce, script, style, language = 'en', translations = {} }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="${attribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(datasetPolicy(nonce))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${attribute(localize`Dataset`)}</title>
<link rel="stylesheet" nonce="${attribute(nonce)}" href="${attribute(style)}">
</head>
<body data-translations="${attribute(JSON.stringify(translations))}">
<script nonce="${attribute(nonce)}" src="${attribute(script)}"></script>
</body>
</html>
`
}

function attribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
