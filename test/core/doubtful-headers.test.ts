/** A message is hidden if a word of its header says otherwise than its channel and recipient (D16). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  analyze,
  applyEdits,
  Checker,
  type DialectName,
  Document,
  Transcript,
  visibleTexts,
} from '../../core/src/internal.ts'
import { shownTexts, streamed } from './streaming/streamed.ts'

const doubtful = [
  'assistant Analysis',
  'assistant analysis',
  'user Analysis',
  'assistant ANALYSIS<|channel|>final',
  'assistant anlaysis',
  'assistant Comentary<|channel|>final',
  'assistant channel:analysis',
  'assistant Channel=analysis',
  'assistant chanel=commentary',
  'assistant channel="analysis"',
  "assistant channel='Analysis'<|channel|>final",
  'assistant Channel=secret',
  'assistant channel=final_analysis',
  'assistant mode=analysis',
  'assistant analysis=true',
  'assistant <|chanel|>analysis',
  'assistant <channel>analysis',
  'assistant |channel|>analysis',
  'assistant name=Ann<|chanel|>analysis',
  'assistant name=Ann|channel|>analysis',
  'assistant call_id=c1<|chan|>analysis<|channel|>final',
  'assistant <|start_reason|>',
  'assistant intent=analysis',
  'assistant<|channel|>final content_type=analysis',
  'assistant<|channel|>final analysis',
  'assistant<|channel|>final Analysis json',
  'assistant<|channel|>final<|constrain|>analysis',
  'assistant<|channel|>final<|constrain|>functions.f',
  'assistant ana\u200blysis',
  'assistant \ufeffanalysis',
  'assistant \u2060analysis<|channel|>final',
  'assistant ａｎａｌｙｓｉｓ',
  'assistant аnаlуѕіѕ', // letters of the Cyrillic script
  'assistant anàlysis',
  'assistant 𝐚𝐧𝐚𝐥𝐲𝐬𝐢𝐬',
  'assistant ｃｈａｎｎｅｌ＝ａｎａｌｙｓｉｓ',
  'assistant cha\u00adnnel=analysis',
  'assistant thinking',
  'assistant tһіnкіnɡ', // letters of other scripts
  'assistant private',
  'assistant hidden<|channel|>final',
  'assistant scratchpad',
  'assistant<|channel|>final internal',
  'assistant visibility=hidden<|channel|>final',
  'assistant functions.x<|channel|>final',
  'assistant →functions.x<|channel|>final',
  'assistant (functions.x)',
  'assistant Functions.x',
  'assistant browser.search<|channel|>final',
  'assistant python<|channel|>final',
  'assistant<|channel|>final functions.x',
  'assistant To=functions.x',
  'assistant TO=functions.x<|channel|>final',
  'assistant t\u200bo=functions.x',
  'assistant to:functions.x',
  'assistant to = functions.x',
  'assistant to=user to=functions.x',
  'assistant recipient=functions.x',
  'assistant Recipient=x',
  'assistant tool=functions.x',
  'assistant tool_call=x',
  'assistant function_call=x<|channel|>final',
  'assistant tool-call=x',
  'assistant toolName=x',
  'assistant function_name=x',
  'assistant functions:x',
  'assistant functions/x',
  'assistant functions',
  'assistant tool_call',
  'assistant to->functions.x',
  'assistant functions.x(a)',
  'assistant target=functions.x',
  'assistant target=browser.search',
  'assistant mcp__server__x',
  'assistant chain-of-thought',
  'assistant chainOfThought<|channel|>final',
  'assistant reasoning_content',
  'user inner-monologue',
  'assistant<|channel|>final internal_note',
  'assistant thinkng',
  'assistant thinking:',
  'assistant type=redacted_thinking',
  'assistant kind=chain_of_thought',
  'assistant visible=false',
  'assistant display="none"<|channel|>final',
  'user public=no',
  'assistant visibility=developer',
  'assistant audience=assistant',
  'assistant hide=true',
  'assistant ana lysis',
  'assistant a n a l y s i s<|channel|>final',
  // other languages
  'assistant 思考',
  'assistant 思考过程<|channel|>final',
  'assistant<|channel|>final 推理',
  'assistant 考え',
  'assistant 생각<|channel|>final',
  'assistant Gedanken',
  'assistant Überlegungen<|channel|>final',
  'assistant raisonnement',
  'assistant Pensée<|channel|>final',
  'assistant razonamiento',
  'assistant размышления<|channel|>final',
  'assistant 类型=思考',
  'assistant 思考=true',
  'assistant kanal=gedanken<|channel|>final',
  'assistant internal=low',
  'assistant purpose=data-analysis',
]

const cut = [
  '<|start|>assistant<|channel|>final functions.x {"a":"SECRET"}<|call|>',
  '<|start|>assistant<|channel|>final SECRET<|call|>',
  '<|start|>assistant<|channel|>final analysis SECRET<|end|>',
  '<|start|>assistant<|channel|>final <|chanel|>analysis SECRET<|end|>',
  '<|start|>assistant<|channel|>final To=functions.x SECRET<|end|>',
]

const plain = [
  'user please',
  'assistant please',
  'assistant name=analysis',
  'assistant name="Ann Lee"',
  'assistant<|channel|>final json',
  'assistant<|channel|>final<|constrain|>json',
  'assistant<|channel|>final<|constrain|>text/x.functions',
  'assistant channel=final',
  'assistant foo=bar',
  'assistant nmae=Ann',
  'assistant e.g. <|channel|>final',
  'assistant callid=c1',
  'assistant to=user to=user',
  'assistant intent=unheard',
  'assistant intent=preamble commentary<|channel|>commentary',
  'user To=functions.x',
  'user functions.x',
  // What transcripts note about messages.
  'assistant model=gpt-4.1',
  'assistant model=llama-3.1-8b<|channel|>final',
  'assistant<|channel|>final model=kimi-k2-thinking',
  'assistant gpt-4.1',
  'assistant v1.2',
  'assistant temperature=0.7',
  'assistant source=example.com',
  'assistant file=report.pdf',
  'assistant author=ann.lee',
  'assistant language=python',
  'assistant ip=1.2.3.4 date=2024.01.02',
  'assistant ts=2024-01-01T00:00:00Z',
  'assistant t=12.5 no=3',
  'assistant t:12',
  'assistant reason=stop',
  'assistant reasoning_effort=high',
  'assistant thinking=off',
  'user hidden=false private=no',
  'assistant cot=0',
  'assistant visible=true audience=user',
  'assistant visibility=public',
  'assistant tool_calls=[]',
  'assistant tool=none function_call="null"',
  'assistant recipient=user',
  'assistant to_language=de',
  'assistant topic=data-analysis',
  'assistant topic=思考 lang=日本語',
  'assistant 思考=false',
  'user task=reasoning',
  'assistant reasoning=low',
  'assistant thinking=enabled<|channel|>final',
  'assistant Name=Hidden',
  'assistant 回答',
  'assistant Antwort<|channel|>final',
  'assistant réponse',
]

const dialects: readonly (DialectName | 'auto')[] = ['auto', '2.2', '2.0', 'harmony']

describe('a message is hidden, in whole and in chunks, and reported', () => {
  for (const it of [...doubtful.map((header) => `<|start|>${header}<|message|>SECRET<|end|>`), ...cut]) {
    test(JSON.stringify(it), () => {
      for (const dialect of dialects) {
        const text = dialect === 'harmony' ? it : `version: 2.2\n${it}\n`
        const analysis = analyze(Transcript.parse(text, { dialect }))
        assert.deepEqual(visibleTexts(analysis), [], dialect)
        for (const length of [1, 5, text.length])
          assert.deepEqual(shownTexts(streamed(text, [length], { dialect })), [], dialect)
        if (dialect !== 'auto') continue
        const checker = new Checker(analysis)
        checker.advance()
        const { problems } = checker.problems()
        // A message on the channel that a word names is hidden because of that.
        const says = /the message is hidden|`<\|channel\|>` is missing before `analysis`/
        assert.ok(
          problems.some(({ message }) => says.test(message)),
          JSON.stringify(problems),
        )
        const fixes = problems.flatMap((problem) => problem.fixes ?? [])
        assert.notEqual(fixes.length, 0, JSON.stringify(problems))
        // Editors apply them one after the other; edits in another order are refused.
        for (const { edits } of fixes) assert.notEqual(applyEdits(text, edits), text)
      }
    })
  }

  for (const header of ['assistant analysis', 'assistant Channel=analysis', 'assistant ａｎａｌｙｓｉｓ']) {
    test(`0.1: ${header}`, () => {
      assert.deepEqual(
        visibleTexts(analyze(Transcript.parse(`<|im_start|>${header}\nSECRET<|im_end|>\n`))),
        [],
      )
    })
  }
})

describe('a message stays visible', () => {
  for (const header of plain) {
    test(header, () => {
      const text = `version: 2.2\n<|start|>${header}<|message|>Hi<|end|>\n`
      assert.deepEqual(visibleTexts(analyze(Transcript.parse(text))), ['Hi'])
    })
  }
})

test('what transcripts note about messages hides none, whatever its value', () => {
  const keys =
    'id model version temperature top_p seed language source file url date time timestamp user from speaker persona topic title label index score weight reward finish_reason stop_reason reasoning_effort usage cost latency split origin parent thread format type role locale ip host os agent client api hash build ref image train'
  const values =
    '1 0 0.5 -3 12345 true false none null en-US gpt-4.1 llama-3.1-8b o3 report.pdf a.b.c example.com 127.0.0.1 2024-01-01T10:00:00Z 12:30 v1.2.3 end_turn Ann ann.lee a@b.co user assistant json python c++ a/b/c https://a.b/c.d #1 [1] (a) "Ann" [] low high final 3/5 50% $5'
  for (const role of ['user', 'assistant'])
    for (const key of keys.split(' ')) {
      for (const value of values.split(' ')) {
        const header = `${role} ${key}=${value}`
        const text = `version: 2.2\n<|start|>${header}<|message|>Hi<|end|>\n`
        assert.deepEqual(visibleTexts(analyze(Transcript.parse(text))), ['Hi'], header)
      }
    }
})

test('an attribute that hides a message is not said to be ignored', () => {
  const said = (header: string) => {
    const transcript = Transcript.parse(`version: 2.2\n<|start|>${header}<|message|>Hi<|end|>\n`)
    return new Checker(analyze(transcript)).problems().problems.map(({ message }) => message)
  }
  const hides = (word: string) =>
    `Unknown attribute \`${word}\` may say who the message is for, so the message is hidden`
  assert.deepEqual(said('assistant visible=false'), [hides('visible')])
  assert.deepEqual(said('assistant tool_call=x mood=good'), [
    hides('tool_call'),
    'Unknown attribute `mood` is ignored',
  ])
  assert.deepEqual(said('assistant model=gpt-4.1'), ['Unknown attribute `model` is ignored'])
})

test('a type that resembles a channel becomes the channel, in its place', () => {
  const text = 'version: 2.2\n<|start|>assistant<|constrain|>analysis<|message|>SECRET<|end|>\n'
  const [problem] = new Document(text).problems().problems
  assert.equal(applyEdits(text, problem?.fixes[0]?.edits ?? []), text.replace('<|constrain|>', '<|channel|>'))
})
