/** Distinguishes a JSON value that is laid out over several lines from JSONL, in which each of its lines would be a mistake. */

/** True if `text`, the beginning of a file, is one JSON value over several lines. */
export function isJsonOverLines(text: string): boolean {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/)
  const filled = lines.map((it) => it.trim()).filter((it) => it !== '')
  const [first, second] = filled
  if (first === undefined || second === undefined) return false
  // The line after an opening bracket goes on with a key, an element, or the closing bracket; a sample begins with a brace.
  if (first === '{') return /^["}]/.test(second)
  if (first === '[') return true
  return /^[[{].*[[{,]$/.test(first) && !isJson(first) && /^["\]}[]/.test(second)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
