/** Where what is cited, such as `2.2 §6, D16`, is in the documentation. */

/** The anchors of OpenChatML 2.2, by section. */
const sections: ReadonlyMap<string, string> = new Map(
  [
    '1-purpose',
    '2-document-header',
    '3-control-tokens',
    '4-roles',
    '5-channels',
    '6-message-grammar',
    '7-chain-of-thought-markers',
    '8-tool-framework',
    '9-streaming',
    '10-json-interchange',
    '11-security',
    '12-harmony-profile-hip-1',
    '13-back-compatibility',
    '14-error-taxonomy',
    '15-abnf',
    '16-worked-examples',
    '17-conformance-fixtures',
    '18-checklist',
  ].map((anchor) => [anchor.slice(0, anchor.indexOf('-')), anchor]),
)

/** The page of `citation`, one of a list such as `2.2 §6, D16`, from the folder of the documentation; undefined if there is none. */
export function citedPage(citation: string): string | undefined {
  const decision = /^[DF]\d+$/.exec(citation)?.[0]
  if (decision) return `spec/${decision.startsWith('D') ? 'decisions' : 'forms'}.md#${decision.toLowerCase()}`
  const section = /^(?:2\.2 )?§(\d+)/.exec(citation)?.[1]
  const anchor = section && sections.get(section)
  return anchor === undefined ? undefined : `spec/openchatml-2.2.md#${anchor}`
}

/** `markdown` with links from citations in the lines that name the specification; `base` is the folder of the documentation. */
export function withCitationLinks(markdown: string, base: string): string {
  return markdown.replace(/^\*OpenChatML ([^*\n]{1,200})\*$/gm, (line, list: string) => {
    if (!list.startsWith('2.2')) return line
    const linked = list.split(', ').map((citation) => {
      const page = citedPage(citation)
      return page === undefined ? citation : `[${citation}](${base}/${page})`
    })
    return `*OpenChatML ${linked.join(', ')}*`
  })
}
