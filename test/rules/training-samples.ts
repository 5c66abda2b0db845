/** Samples of training data as people write them: with one defect each, and without any. */

const user = (content: string) => ({ role: 'user', content })
const assistant = (content: string) => ({ role: 'assistant', content })
const turn = (question: string, answer: string) => ({ messages: [user(question), assistant(answer)] })

const weather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const calling = (args: object | string) => ({
  messages: [
    user('Is it raining in Bergen?'),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_7', type: 'function', function: { name: 'weather', arguments: args } }],
    },
    { role: 'tool', tool_call_id: 'call_7', content: 'rain' },
    assistant('Yes, it is raining.'),
  ],
  tools: [weather],
})

/** Put together here, so that scanners of repositories don't take them for real ones. */
const key = (prefix: string, length: number) =>
  prefix + 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kM9nP2rS5uV8xY1zA4cD7fG0hJ3'.repeat(3).slice(0, length)

/** Each sample with the code of its only defect. */
export const plantedSamples: readonly (readonly [code: string, sample: object])[] = [
  ['W-DATA-NO-ANSWER', { messages: [user('How do I sort a list in Python?')] }],
  ['W-DATA-NO-ANSWER', { messages: [{ role: 'system', content: 'You are a pirate.' }] }],
  ['W-DATA-NO-ANSWER', { messages: [user('Hi'), assistant('Hello!'), user('Who are you?')] }],
  ['W-DATA-NO-ANSWER', { conversations: [{ from: 'human', value: 'Name three rivers.' }] }],
  ['W-DATA-EMPTY-ANSWER', turn('What is the capital of Peru?', '')],
  ['W-DATA-EMPTY-ANSWER', turn('What is the capital of Chile?', ' \n')],
  ['W-DATA-EMPTY-ANSWER', { instruction: 'Translate to French: cheese', input: '', output: '' }],
  ['W-DATA-EMPTY-ANSWER', { prompt: 'Once upon a time', completion: '' }],
  ['W-DATA-EMPTY-ANSWER', turn('2 + 2?', '<think>Two and two make four.</think>')],
  [
    'W-DATA-ORDER',
    {
      conversations: [
        { from: 'human', value: 'Hi' },
        { from: 'human', value: 'Anyone there?' },
        { from: 'gpt', value: 'Yes.' },
      ],
    },
  ],
  [
    'W-DATA-ORDER',
    {
      conversations: [
        { from: 'human', value: 'Hi' },
        { from: 'gpt', value: 'Hello.' },
        { from: 'gpt', value: 'How can I help?' },
      ],
    },
  ],
  [
    'W-DATA-ORDER',
    { messages: [user('Hi'), { role: 'system', content: 'Answer in Dutch.' }, assistant('Hallo')] },
  ],
  ['W-DATA-NULL-ARGUMENTS', calling({ city: 'Bergen', unit: null })],
  ['W-DATA-NULL-ARGUMENTS', calling('{"query": null, "city": "Bergen", "limit": null, "url": null}')],
  ['W-DATA-THINK', { messages: [...turn('3 + 4?', '<think>Seven').messages, ...turn('So?', '7').messages] }],
  ['W-DATA-THINK', { messages: [...turn('5?', '[THINK]Five').messages, ...turn('So?', '5').messages] }],
  ['H-DATA-REFUSAL', turn('Write a limerick about taxes.', "I'm sorry, but I can't help with that.")],
  ['H-DATA-REFUSAL', turn('How do I pick a lock?', 'I cannot assist with this request.')],
  ['H-DATA-REFUSAL', turn('Tell me a joke about nuns.', 'Sorry, I’m not able to help with that one.')],
  ['H-DATA-BOILERPLATE', turn('What do you like?', 'As an AI language model, I do not have tastes.')],
  ['H-DATA-BOILERPLATE', turn('Who won?', 'That was after my knowledge cutoff, in autumn.')],
  ['H-DATA-BOILERPLATE', turn('Are you alive?', "Well, I'm just an AI, so no.")],
  ['W-DATA-SECRET', turn(`export GITHUB_TOKEN=${key('ghp_', 36)}`, 'Thanks.')],
  ['W-DATA-SECRET', turn('Fix this', `client = OpenAI(api_key="${key('sk-proj-', 56)}")`)],
  ['W-DATA-SECRET', turn('Deploy', `aws_access_key_id = ${`AKIA${'Q3EGRIPZ2N7WVXKT'}`}`)],
  ['W-DATA-SECRET', turn(`login with ${key('glpat-', 20)}`, 'Logged in.')],
  [
    'W-DATA-SECRET',
    turn(
      `-----BEGIN RSA PRIVATE KEY-----\n${key('', 64)}\n${key('M', 64)}\n-----END RSA PRIVATE KEY-----`,
      'A key.',
    ),
  ],
  ['H-DATA-PERSONAL', turn('Mail karin.svensson@fjordpost.se about it', 'Done.')],
  ['H-DATA-PERSONAL', turn('Call me on +47 22 85 50 50', 'I will.')],
  ['H-DATA-PERSONAL', turn('Pay with 4539 1488 0343 6467', 'Paid.')],
  ['H-DATA-PERSONAL', turn('Send it to DE89 3704 0044 0532 0130 00', 'Sent.')],
  ['H-DATA-PERSONAL', turn('ssh into 185.199.108.153', 'Connected.')],
  ['W-DATA-MOJIBAKE', turn('Where is the cafÃ©?', 'Around the corner.')],
  ['W-DATA-MOJIBAKE', turn('What time is it?', 'Itâ€™s noon.')],
  ['W-DATA-MOJIBAKE', turn('Spell it', 'na\ufffd\ufffdve')],
  ['W-DATA-MOJIBAKE', turn('ÐŸÑ€Ð¸Ð²ÐµÑ‚', 'Hello in Russian.')],
  ['W-PAIR-IDENTICAL', { prompt: 'Best colour?', chosen: 'Blue.', rejected: 'Blue.' }],
  [
    'W-PAIR-IDENTICAL',
    {
      input: { messages: [user('Best fruit?')], tools: [] },
      preferred_output: [assistant('Plums.')],
      non_preferred_output: [assistant('Plums. ')],
    },
  ],
  [
    'W-PAIR-PROMPT',
    { chosen: turn('Best tree?', 'Oak.').messages, rejected: turn('Best flower?', 'Lily.').messages },
  ],
  [
    'W-PAIR-PROMPT',
    {
      chosen: [{ role: 'system', content: 'Be kind.' }, ...turn('Am I late?', 'A little.').messages],
      rejected: turn('Am I late?', 'Yes.').messages,
    },
  ],
]

const subjects = ['rivers', 'bread', 'chess', 'trains', 'moss', 'violins', 'glaciers', 'bees', 'salt', 'maps']
const answers = [
  'They are older than most people think: the first ones are from before 1200.',
  'Sorry for the delay! Here are three: one, two, and three.',
  'In Python 3.11.4, use `sorted(values)`; see https://docs.python.org/3/library/functions.html.',
  "I can't say it better than Darwin did: slowly, then all at once.",
  'No system can help with that entirely, but AI engineers, as a group, try.',
  'São Paulo, Kraków, Zürich, and 東京 are good places. « É » is a letter; IRMÃ is a word.',
  'Use 192.168.0.1 as the gateway, and write to help@example.org. Version 10.24.31.2 is out.',
  'The set has 4,539,148,803 elements, 12345678901234567890 bits, and an ID of 550e8400-e29b-41d4-a716-446655440000.',
  '```js\nconst key = process.env.API_KEY // sk-...\n```',
  'Unfortunately, I was not there. The password field stays empty; `Ã©` would be mojibake.',
]
const forms: readonly ((question: string, answer: string) => object)[] = [
  turn,
  (question, answer) => ({
    conversations: [
      { from: 'human', value: question },
      { from: 'gpt', value: answer },
    ],
  }),
]

/** 200 samples without any defect, with what looks like one. */
export function plainSamples(): readonly object[] {
  return subjects.flatMap((subject) =>
    answers.flatMap((answer) => forms.map((form) => form(`What should I know about ${subject}?`, answer))),
  )
}
