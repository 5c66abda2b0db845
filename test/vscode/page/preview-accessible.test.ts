/** Every view of the preview in a real VS Code and in its kinds of themes: axe, with colours, and less movement for those who ask for it. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import type { OpenedVSCode } from '../../../scripts/vscode/open.d.mts'
import type { Frame } from '../../../scripts/vscode/playwright.d.mts'
import { nightly } from '../../helpers/nightly.ts'
import { accessibleInAllThemes } from './accessible.ts'
import { eventually, focused, until } from './preview-in-page.ts'
import { changeSettings, leaveWindow, takeWindow } from './shared-window.ts'

/** Something of everything that a page can show. */
const everything = `version: 2.2
<|start|>developer<|message|>Be brief.<|end|>
<|start|>user name=Ada<|message|>How? See \`code\`, $x^2$ and [a link](https://example.org).<|end|>
<|start|>assistant<|channel|>analysis intent=preamble<|message|>Let me see.<|end|>
<|start|>assistant<|channel|>commentary intent=preamble<|message|>I will look.<|end|>
<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{}<|call|>
<|start|>tool name=functions.f call_id=c to=assistant<|channel|>commentary<|message|>{}<|end|>
<|start|>assistant<|channel|>final<|message|># Answer

> A quotation

- [x] done
- [ ] to do

| a | b |
|---|--:|
| 1 | 2 |

\`\`\`python
# A comment
def f(x: int) -> str:
    return "text" + str(42)  # True
\`\`\`

$$
\\begin{aligned} a &= b \\end{aligned}
$$

<|literal|><|start|>user<|endliteral|> ![chart](data:image/png;base64,AA==)<|end|>
<|start|>user<|message|>Or
<<<<<<< HEAD
one
=======
two
>>>>>>> other
<|end|>
<|start|>assistant<|channel|>final<|constrain|>json<|message|>{"a": [1, true, null, "b"]}<|end|>
<|start|>assistant<|channel|>final<|message|>And so`

describe('accessibility of the preview', () => {
  let folder: string
  let vscode: OpenedVSCode

  before(async () => {
    ;({ folder, vscode } = await takeWindow())
    await writeFile(join(folder, 'everything.ocm'), everything)
    await vscode.openFile('everything.ocm') // what takes the focus at the start has it then
  })

  after(leaveWindow)

  nightly('axe finds nothing to complain about in what users see', async () => {
    await accessibleInAllThemes(await previewAlone())
  })

  nightly('axe finds nothing to complain about in *Everything*, with something found', async () => {
    const frame = await previewAlone()
    await vscode.runCommand('OpenChatML: Show Everything')
    await until(frame, `document.querySelector('.problem') && document.querySelector('.tool-card')`)
    await frame.locator('[data-action=open-find]').click()
    await frame.locator('.find input').fill('code')
    await until(frame, `/ of /.test(document.querySelector('.find .matches').textContent)`)
    await accessibleInAllThemes(frame)
  })

  nightly('axe finds nothing to complain about in *What the model gets next*', async () => {
    const frame = await previewAlone()
    await vscode.runCommand('OpenChatML: Show What the Model Gets Next')
    await until(frame, `document.querySelector('[data-state=done]')`)
    await accessibleInAllThemes(frame)
  })

  nightly('axe finds nothing to complain about in *What a model is trained on*', async () => {
    const frame = await previewAlone()
    await vscode.runCommand('OpenChatML: Show Training View')
    await until(
      frame,
      `document.querySelector('.training-counts[data-state=done]') && document.querySelector('mark.special')`,
    )
    await accessibleInAllThemes(frame)
  })

  nightly('axe finds nothing to complain about in a replay', async () => {
    const frame = await previewAlone()
    await frame.locator('[data-view=replay]').click()
    await until(frame, `document.querySelector('.replay').checkVisibility()`)
    await frame.evaluate(`{
      const slider = document.querySelector('.replay input')
      slider.value = slider.max
      slider.dispatchEvent(new Event('input'))
    }`)
    await until(frame, `document.querySelector('[data-cut=truncated]')`)
    await accessibleInAllThemes(frame)
  })

  nightly('nothing moves for readers who want less movement', async () => {
    await changeSettings({ 'workbench.reduceMotion': 'off' }) // other tests want no animations
    const frame = await previewAlone()
    await frame.locator('[data-view=replay]').click()
    await until(frame, `document.querySelector('.replay .content')`)
    await frame.evaluate(`{
    const slider = document.querySelector('.replay input')
    slider.value = '1'
    slider.dispatchEvent(new Event('input'))
  }`)
    await until(frame, `document.getAnimations().length > 0`) // the mark of a message that is still streaming
    await vscode.page.emulateMedia({ reducedMotion: 'reduce' })
    await until(frame, `document.getAnimations().length === 0`)
    await vscode.page.emulateMedia({ reducedMotion: 'no-preference' })
    await changeSettings({})
  })

  /** The page of a new preview that has the place of its editor. */
  async function previewAlone(): Promise<Frame> {
    await vscode.runCommand('View: Close All Editors')
    await eventually('that the page of another test is gone', () => vscode.webviewFrames().length === 0)
    await vscode.openFile('everything.ocm')
    await vscode.runCommand('OpenChatML: Open Preview')
    return focused(vscode)
  }
})
