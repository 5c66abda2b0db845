/** `openchatml.renderTraining`: of this server, for clients that show what a model is trained on. Nothing else depends on it. */
import { RequestType } from 'vscode-languageserver'
import type { Rendering, RenderRequest } from '../counting/count-protocol.ts'
import { handler } from './handler.ts'

const renderTrainingRequest = new RequestType<Omit<RenderRequest, 'id'>, Rendering | null, void>(
  'openchatml.renderTraining',
)

/** The sample as it is rendered, on the thread that counts tokens; `null` where it can't be rendered. */
export const renderTrainingHandler = handler(
  renderTrainingRequest,
  async ({ context, params }) => (await context.textCounter.render(params)) ?? null,
  'rendering',
)
