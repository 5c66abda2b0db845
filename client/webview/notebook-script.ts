/** Transcripts in the Markdown cells of notebooks: VS Code loads this with its own renderer of Markdown. */
import { addTranscripts, type MarkdownRenderer } from '../render/markdown-fences.ts'
import style from './styles/markdown-fences.css'

/** What VS Code gives to a renderer that extends another one. */
interface RendererContext {
  getRenderer(
    id: string,
  ): Promise<
    { readonly extendMarkdownIt?: (extend: (markdown: MarkdownRenderer) => void) => void } | undefined
  >
}

/** Called by VS Code in the page of a notebook. */
export async function activate(context: RendererContext): Promise<void> {
  const renderer = await context.getRenderer('vscode.markdown-it-renderer')
  renderer?.extendMarkdownIt?.((markdown) => void addTranscripts(markdown))
  // VS Code copies styles in such a template into each cell.
  const template = document.createElement('template')
  template.classList.add('markdown-style')
  const element = document.createElement('style')
  element.textContent = style
  template.content.append(element)
  document.head.append(template)
}
