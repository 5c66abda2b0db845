/** The source of a regular expression that matches `text` and nothing else, with any flags and in RE2. */
export function regexSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
