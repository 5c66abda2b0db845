/** The built-in tools of the gpt-oss models (2.2 §8.3, Harmony), in the notation in which bodies declare tools. */

/** A built-in tool. */
export interface BuiltinTool {
  readonly name: string
  /** What it is for: Markdown, a few sentences. */
  readonly documentation: string
  /** Its methods as a namespace block; undefined if it is called by its bare name with something else than JSON. */
  readonly declaration: string | undefined
}

/** The tools whose arguments are known; further names in `builtin_tools` are only names. */
export const builtinToolWords: readonly BuiltinTool[] = [
  {
    name: 'browser',
    documentation:
      'Looks things up on the web. Every page that it shows begins with its number in brackets, the cursor; `【6†L9-L11】` cites lines 9 to 11 of page 6. Called on `analysis` or `commentary`.',
    declaration: `namespace browser {

// Looks for pages about a question and lists the best hits.
type search = (_: {
// What to look for
query: string,
// How many hits to list
topn?: number, // default: 10
// Where to look, for instance "web"
source?: string,
}) => any;

// Opens a link of a page, or an address, or scrolls in a page that is open already.
type open = (_: {
// The number of the link, as the page shows it, or an address; without it the page stays and the view moves
id?: number | string, // default: -1
// The page that has the link; without it, the page that was shown last
cursor?: number, // default: -1
// The line to begin with; without it, the beginning or the passage that fits best
loc?: number, // default: -1
// How many lines to show
num_lines?: number, // default: -1
// True to see the source of the page
view_source?: boolean, // default: false
// Where the address belongs, for instance "web"
source?: string,
}) => any;

// Finds the places of a page that contain a text, exactly as written.
type find = (_: {
// The text to find
pattern: string,
// The page; without it, the page that was shown last
cursor?: number, // default: -1
}) => any;

} // namespace browser`,
  },
  {
    name: 'python',
    documentation:
      "Runs Python code in a notebook that keeps its state between calls; the reply is what the code prints. The body is the code itself, not JSON. For the model's own work, not for code that users are meant to see. Called on `analysis` or `commentary`.",
    declaration: undefined,
  },
]
