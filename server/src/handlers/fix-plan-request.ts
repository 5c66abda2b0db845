/** `openchatml.fixPlan`: of this server, for clients that say what *Fix All* did and what is left. Nothing else depends on it. */
import { RequestType, type TextDocumentIdentifier, type TextEdit } from 'vscode-languageserver'
import { type FixChoice, type FixPlan, fixPlan } from '../../../core/src/internal.ts'
import { toRange } from '../to-lsp.ts'
import { documentHandler, onceSettled } from './handler.ts'

/** Which problems of which document. */
export interface FixPlanParams extends FixChoice {
  readonly textDocument: TextDocumentIdentifier
}

/** A plan for the document of that version. */
export interface FixPlanResult extends Omit<FixPlan, 'edits'> {
  readonly version: number
  readonly edits: readonly TextEdit[]
  /** The URI of a configuration file with errors, because of which there are no edits. */
  readonly broken?: string | undefined
}

const fixPlanRequest = new RequestType<FixPlanParams, FixPlanResult, void>('openchatml.fixPlan')

/** What fixing would do, by the settings in force. */
export const fixPlanHandler = documentHandler(
  fixPlanRequest,
  onceSettled<FixPlanParams, FixPlanResult>(({ document, params: { isUnsafe, rule } }) => {
    const { broken } = document.settings
    const { edits, ...counts } = fixPlan(document.checker, {
      isUnsafe: isUnsafe === true,
      ...(typeof rule === 'string' && { rule }),
    })
    return {
      ...counts,
      version: document.version,
      broken,
      edits: (broken === undefined ? edits : []).map((edit) => ({
        range: toRange(document, edit),
        newText: edit.text,
      })),
    }
  }),
)
