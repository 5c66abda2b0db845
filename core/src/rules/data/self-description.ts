/** Answers in which a model speaks of itself. */
import { localize } from '../../text/localize.ts'
import { answerCheck } from '../answer-phrases.ts'
import { example } from '../example.ts'
import type { MessageRule } from '../rule.ts'

/** Phrases of the model that wrote the data are learned with it (S16). */
export const selfDescription: MessageRule = {
  name: 'self-description',
  code: 'H-DATA-BOILERPLATE',
  severity: 'hint',
  scope: 'message',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'A model describes itself in an answer of a sample',
  why: 'A model that is trained on it claims to be another model, made by someone else, with the limits of that model.\nOnly English phrases are found.',
  bad: example`
    {"messages": [{"role": "user", "content": "Do you like tea?"}, {"role": "assistant", "content": "As an AI language model, I don't drink."}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "Do you like tea?"}, {"role": "assistant", "content": "I don't drink."}]}
  `,
  ...answerCheck({
    hint: / (?:AI\b|artificial int|language mod|cut-?off|ChatGPT|by (?:OpenAI|Anthropic|Google|DeepSeek|Alibaba|Mistral))/i, // each phrase has a space there, which is found faster
    phrases:
      /\bas an? (?:large )?(?:AI|artificial intelligence|language model)(?: language)?(?: model)?(?: assistant)?(?: (?:created|developed|trained|made) by \w{1,30})?,? I\b|\bI(?: am|['’]m) (?:just |only )?an? (?:large )?(?:AI|language model)(?: language)?(?: model)?(?: assistant)?(?: (?:created|developed|trained|made) by \w{1,30}| and (?:do not|don['’]t|cannot|can['’]t)|[,.])|\bmy (?:knowledge|training) cut-?off\b|\bI(?: am|['’]m) ChatGPT\b|\bI(?: am|['’]m| was)(?: [\w-]{1,20},)?(?: an?(?: [\w-]{1,20}){0,4} (?:model|assistant|chatbot|AI),?)? (?:created|developed|trained|made|built) by (?:OpenAI|Anthropic|Google|DeepSeek|Alibaba|Mistral)\b/gi,
    messageOf: (phrase) => localize`The model describes itself: ${phrase}`,
  }),
}
