/** Examples in the documentation of rules, written as a reader sees them. */

/**
 * The text between the back-ticks, without the indentation that all of its lines share.
 * The line break after the opening back-tick doesn't count; a line break before the closing one does, without the
 * indentation after it. Nothing is escaped; `parts` are put in as they are.
 */
export function example({ raw }: TemplateStringsArray, ...parts: readonly string[]): string {
  const lines = raw.join('\0').replace(/^\n/, '').split('\n')
  const isIndented = (line: string) => line.trim() !== ''
  const indentation = Math.min(...lines.filter(isIndented).map((line) => line.search(/\S/)))
  const last = lines.length - 1
  const text = lines
    .map((line, index) => (index === last ? lastLine(line, indentation) : line.slice(indentation)))
    .join('\n')
  const left = parts.values()
  return text.replaceAll('\0', () => left.next().value ?? '')
}

/** The line with the closing back-tick is empty unless it has words. */
function lastLine(line: string, indentation: number): string {
  return line.trim() === '' ? '' : line.slice(indentation)
}

/** A YAML header with the Harmony profile. */
export const harmonyHeader = example`
  version: 2.2
  profiles:
    harmony:
      enabled: true`

/** A YAML header and a message that defines `tools` in the namespace `functions`. */
export function definedTools(tools: string): string {
  return example`
    version: 2.2
    <|start|>developer<|message|># Tools

    ## functions

    namespace functions {

    ${tools}

    } // namespace functions<|end|>`
}

/** A tool that takes a location. */
export const weatherTool = example`
  type get_weather = (_: {
  location: string,
  }) => any;`

/** The same, with a format. */
export const weatherToolWithFormat = example`
  type get_weather = (_: {
  location: string,
  format?: "celsius" | "fahrenheit",
  }) => any;`
