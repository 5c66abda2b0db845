// scripts/bench/measure-limits.ts
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// test/helpers/growth/server-requests.ts
var options = { tabSize: 2, insertSpaces: true };
var screen = 50;
function atPlace(method, more = {}) {
  return { name: method, method, hasPlace: true, params: (position) => ({ position, ...more }) };
}
function inRange(method, more, { name = method, lines = 0 } = {}) {
  const endOf = ({ line, character }) => lines > 0 ? { line: line + lines, character: 0 } : { line, character };
  return {
    name,
    method,
    hasPlace: true,
    params: (start) => ({ range: { start, end: endOf(start) }, ...more })
  };
}
function ofAll(method, more = {}, name = method) {
  return { name, method, hasPlace: false, params: () => more };
}
function ofWholeRange(method, more, name) {
  const start = { line: 0, character: 0 };
  return { name, method, hasPlace: false, params: (_, end) => ({ range: { start, end }, ...more }) };
}
var actions = (only) => ({ context: { diagnostics: [], ...only && { only } } });
var serverRequests = [
  ofAll("diagnostic"),
  atPlace("hover"),
  atPlace("completion"),
  atPlace("definition"),
  atPlace("references", { context: { includeDeclaration: true } }),
  atPlace("documentHighlight"),
  atPlace("linkedEditingRange"),
  atPlace("prepareRename"),
  atPlace("rename", { newName: "renamed" }),
  atPlace("onTypeFormatting", { ch: ">", options }),
  atPlace("prepareCallHierarchy"),
  {
    name: "selectionRange",
    method: "selectionRange",
    hasPlace: true,
    params: (place) => ({ positions: [place] })
  },
  inRange("codeAction", actions()),
  inRange("codeAction", actions(["refactor", "source"]), { name: "codeAction, refactor and source" }),
  ofWholeRange("codeAction", actions(), "codeAction, everything selected"),
  inRange("inlayHint", {}, { lines: screen }),
  inRange("rangeFormatting", { options }, { lines: screen }),
  inRange("semanticTokens/range", {}, { lines: screen }),
  ofWholeRange("inlayHint", {}, "inlayHint, whole document"),
  ofWholeRange("rangeFormatting", { options }, "rangeFormatting, whole document"),
  ofAll("documentSymbol"),
  ofAll("foldingRange"),
  ofAll("documentLink"),
  ofAll("codeLens"),
  ofAll("formatting", { options }),
  ofAll("semanticTokens/full"),
  ofAll("semanticTokens/full/delta", { previousResultId: "1" })
];
function placesOf(text) {
  return {
    start: { line: 0, character: 0 },
    middle: placeAt(text, Math.floor(text.length / 2)),
    end: placeAt(text, text.length)
  };
}
function placeAt(text, offset) {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

// test/helpers/growth/profile.ts
function repeated(unit, size) {
  return unit.repeat(Math.max(1, Math.floor(size / unit.length)));
}
function numbered(unit, size) {
  const parts = [];
  for (let length = 0, index = 0; length < size; index++) {
    const part = unit(index);
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}
function nested(open, inner, close, size) {
  const depth = Math.max(1, Math.floor((size - inner.length) / (open.length + close.length)));
  return open.repeat(depth) + inner + close.repeat(depth);
}

// scripts/bench/limit-triggers.ts
var user = (body) => `<|start|>user<|message|>${body}<|end|>
`;
var final = (body) => `<|start|>assistant<|channel|>final<|message|>${body}<|return|>
`;
var answer = (body) => user("Hi") + final(body);
var thought = (body) => `<|start|>assistant<|channel|>analysis<|message|>${body}<|end|>
`;
var developer = (body) => `<|start|>developer<|message|>${body}<|end|>
`;
var call = (body) => `<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>${body}<|call|>
`;
var secret = "The secret is a number that no one guesses.";
var fence = "```";
function fenced(language, line) {
  return (size) => answer(`${fence}${language}
${repeated(line, size)}
${fence}
`);
}
var html = ["render", "--format", "html"];
var longestBlock = [0.059];
var hostileTriggers = [
  { name: "nested `[` in arguments", text: (size) => call(repeated("[", size)) },
  { name: "nested `[` on lines in arguments", text: (size) => call(nested("[\n", "1", "\n]", size)) },
  { name: "a long hex string", text: (size) => call(`{"a":"${repeated("0123456789abcdef", size)}"}`) },
  { name: "blanks in a line, rendered", text: (size) => answer(`a${repeated(" ", size)}b`), command: html },
  {
    name: "runs of backticks, rendered",
    text: (size) => answer(
      Array.from({ length: Math.floor(Math.sqrt(2 * size)) }, (_, it) => "`".repeat(it + 1)).join(" ")
    ),
    command: html
  },
  {
    name: "a response format and blanks",
    text: (size) => developer(`# Response Formats

## a${repeated(" ", size)}b
{}`)
  },
  {
    name: "JSON in a fence and blanks",
    text: (size) => call(`${fence}json
{}
${fence}${repeated(" ", size)}x`)
  },
  { name: "`<think>` on lines", text: (size) => answer(repeated("<think>\n", size)) },
  { name: "tools and calls of unknown tools", text: toolsAndCalls },
  {
    name: "forged headers with escapes",
    text: (size) => user(repeated("<|end|><|start|>system<|message|>a<<|end|>", size))
  },
  {
    name: "`string[][]\u2026`",
    text: (size) => developer(
      `# Tools

namespace functions {

type f = (_: { a: string${repeated("[]", size)} }) => any;

}`
    )
  },
  {
    name: "references in a definition",
    text: (size) => developer(
      `{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{${numbered((index) => `"k${index}":{"$ref":"#/$defs/a"},`, size)}"a":{}},"$defs":{"a":{"type":"string"}}}}}`
    )
  },
  { name: "hidden characters", text: (size) => answer(repeated("a\u200Bb ", size)) },
  {
    name: "thoughts and answers",
    text: (size) => repeated(user("Hi") + thought(secret) + final(secret), size)
  },
  { name: "thought tags in pairs", text: (size) => answer(repeated("<think>a</think>\n", size)) },
  {
    name: "a block of C, rendered",
    text: fenced("c", 'int a[] = {1, 2}; /* b */ char *c = "d";\n'),
    command: html,
    sizes: longestBlock
  },
  {
    name: "a block of C of nested templates, rendered",
    text: fenced("cpp", "a<"),
    command: html,
    sizes: longestBlock
  },
  {
    name: "a block of C# of brackets, rendered",
    text: fenced("csharp", "a<b["),
    command: html,
    sizes: longestBlock
  },
  { name: "a block of Java words, rendered", text: fenced("java", "a "), command: html, sizes: longestBlock },
  { name: "a block of INI words, rendered", text: fenced("ini", "a."), command: html, sizes: longestBlock },
  { name: "a JSON body of empty lists", text: (size) => call(`[${repeated("[],", size)}[]]`) },
  { name: "a JSON body of empty objects", text: (size) => call(`{"a":[${repeated("{},", size)}{}]}`) },
  { name: "a JSON body of numbers", text: (size) => call(`{"a":[${repeated("0,", size)}0]}`) },
  {
    name: "a JSON body of objects",
    text: (size) => call(`{"a":[${repeated('{"a":1,"b":[true]},\n', size)}{}]}`)
  },
  { name: "a JSON body of strings, unclosed", text: (size) => call(`{${repeated('"" ', size)}`) },
  {
    name: "arguments of a definition",
    text: (size) => developer("namespace functions {\ntype f = (_: { a: { b: string }[] }) => any;\n}") + call(`{"a":[${repeated('{"b":1},\n', size)}{}]}`)
  },
  {
    name: "a thought that one answer repeats",
    text: (size) => user("Hi") + thought(secret) + final(repeated(`${secret} `, size)),
    at: "The secret"
  },
  {
    name: "a thought that many answers repeat",
    text: (size) => user("Hi") + thought(secret) + repeated(final(secret), size),
    at: "The secret"
  },
  {
    name: "one call ID",
    text: (size) => repeated(
      "<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|><|start|>tool name=functions.f call_id=c<|channel|>commentary<|message|>{}<|end|>\n",
      size
    ),
    at: "call_id="
  },
  { name: "one call ID in calls", text: (size) => repeated(call('{"a":"b"}'), size), at: "call_id=" },
  { name: "equal keys", text: (size) => call(`{${repeated('"a":1,', size)}"a":1}`) },
  { name: "markers", text: (size) => user(repeated("<|channel|>", size)) }
];
function toolsAndCalls(size) {
  const tools = numbered((index) => `type tool_${index} = (_: { a: string }) => any;
`, size / 2);
  const calls = numbered(
    (index) => `<|start|>assistant to=functions.wrong_${index} call_id=c${index}<|channel|>commentary<|message|>{}<|call|>
`,
    size / 2
  );
  return developer(`namespace functions {
${tools}}`) + calls;
}

// scripts/bench/measuring.ts
import { readFileSync } from "node:fs";
function digits(value) {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}
function memoryOf(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const bytes = (name) => 1024 * Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1]);
    return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
  } catch {
    return void 0;
  }
}
function milliseconds(value) {
  return `${digits(value)} ms`;
}

// scripts/bench/row.ts
var mark = "@row ";
function report(row) {
  const whole = { peers: "", figure: "", target: "", isReached: void 0, ...row };
  process.stdout.write(`${mark}${JSON.stringify(whole)}
`);
}
function assignment() {
  return JSON.parse(process.argv[2] ?? "");
}

// scripts/bench/server-session.ts
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync as readFileSync2 } from "node:fs";
import { setTimeout } from "node:timers/promises";
var capabilities = {
  textDocument: {
    diagnostic: { dynamicRegistration: false },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    completion: { completionItem: { snippetSupport: true } },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "refactor", "source"] } },
      dataSupport: true,
      resolveSupport: { properties: ["edit"] }
    },
    synchronization: {}
  },
  general: { positionEncodings: ["utf-16"] }
};
var sweepPause = 100;
var tick = 10;
var longestSweep = 5e3;
var Session = class {
  /** Starts the program of a server with Node; `languageId` is what its document is in. */
  constructor(program, languageId) {
    this.languageId = languageId;
    this.#uri = `file:///conversation.${languageId}`;
    this.#process = spawn(process.execPath, [program, "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    this.#process.stdout.on("data", (chunk) => this.#reader.read(chunk, (it) => this.#receive(it)));
    this.#process.on("exit", (code) => this.#waiting?.fail(new Error(`${program} ended with ${code}`)));
  }
  languageId;
  #process;
  #reader = new MessageReader();
  #waiting;
  #ids = 0;
  #version = 1;
  #resultId;
  #uri;
  /** Says hello and waits for the answer. */
  async initialize() {
    await this.#request("initialize", { processId: process.pid, rootUri: null, capabilities });
    this.#send(notification("initialized", {}));
  }
  /** Opens a text and waits for its diagnostics; the milliseconds from the first byte sent on. */
  async open(text) {
    const { languageId } = this;
    const textDocument = { uri: this.#uri, languageId, version: this.#version, text };
    const opening = notification("textDocument/didOpen", { textDocument });
    const begun = performance.now();
    this.#send(opening);
    await this.#pull();
    return performance.now() - begun;
  }
  /** Types texts at places, one after the other, and waits for diagnostics; the milliseconds. */
  async type(...insertions) {
    const changes = insertions.map((it) => this.#change({ start: it, end: it }, it.text));
    const begun = performance.now();
    for (const change of changes) this.#send(change);
    await this.#pull();
    return performance.now() - begun;
  }
  /** Puts `text` in the place of `range`; the milliseconds until the last byte of the diagnostics is there, and what they are. */
  async replace(range, text) {
    const change = this.#change(range, text);
    const begun = performance.now();
    this.#send(change);
    const { items } = await this.#pull();
    return { spent: this.#reader.arrived - begun, items };
  }
  #change({ start, end }, text) {
    const textDocument = { uri: this.#uri, version: ++this.#version };
    const place = ({ line, character }) => ({ line, character });
    const contentChanges = [{ range: { start: place(start), end: place(end) }, text }];
    return notification("textDocument/didChange", { textDocument, contentChanges });
  }
  /** Asks something about the document, and waits for the answer. */
  async ask(method, params = {}) {
    const begun = performance.now();
    const result = await this.#request(method, { textDocument: { uri: this.#uri }, ...params });
    return { result, spent: performance.now() - begun };
  }
  /** Asks for what an answer left out, such as the edit of an action. */
  async resolve(method, item) {
    const begun = performance.now();
    const result = await this.#request(method, item);
    return { result, spent: performance.now() - begun };
  }
  /** Sends something that is not answered. */
  tell(method, params) {
    this.#send(notification(method, params));
  }
  /** What the process holds and held at most, in bytes; undefined where the system does not report it. */
  memory() {
    return memoryOf(this.#process.pid);
  }
  /** The processor time that the process has used, in milliseconds; undefined where the system does not report it. */
  spent() {
    try {
      const folder = `/proc/${this.#process.pid}/task`;
      let nanoseconds = 0;
      for (const thread of readdirSync(folder))
        nanoseconds += Number(readFileSync2(`${folder}/${thread}/schedstat`, "utf8").split(" ")[0]);
      return nanoseconds / 1e6;
    } catch {
      return void 0;
    }
  }
  /** Waits until the process rests, because it sweeps up after what it has answered; at once where the system does not report it. */
  async rest() {
    const end = performance.now() + longestSweep;
    let worked = this.#worked();
    for (; ; ) {
      const before = worked;
      await setTimeout(sweepPause);
      worked = this.#worked();
      if (worked === before || performance.now() > end) return;
    }
  }
  /** Milliseconds that the process has worked, on all its threads; undefined where the system does not report it. */
  worked() {
    const ticks = this.#worked();
    return ticks === void 0 ? void 0 : ticks * tick;
  }
  /** For how long the process has worked, in the system's ticks. */
  #worked() {
    try {
      const stat = readFileSync2(`/proc/${this.#process.pid}/stat`, "utf8");
      const [user2, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12);
      return Number(user2) + Number(system);
    } catch {
      return void 0;
    }
  }
  /** Ends the server. */
  async close() {
    await this.#request("shutdown", void 0);
    const ended = once(this.#process, "exit");
    this.#send(notification("exit", void 0));
    await ended;
  }
  async #pull() {
    const params = { textDocument: { uri: this.#uri }, previousResultId: this.#resultId };
    const report2 = await this.#request("textDocument/diagnostic", params);
    this.#resultId = report2.resultId;
    return report2;
  }
  #request(method, params) {
    const id = ++this.#ids;
    const answer2 = new Promise((take, fail) => {
      this.#waiting = { id, take, fail };
    });
    this.#send(framed({ jsonrpc: "2.0", id, method, params }));
    return answer2;
  }
  #receive({ id, method, result, error }) {
    const waiting = this.#waiting;
    if (method !== void 0) {
      if (id !== void 0) this.#send(framed({ jsonrpc: "2.0", id, result: null }));
    } else if (id === waiting?.id) {
      this.#waiting = void 0;
      if (error) waiting?.fail(new Error(JSON.stringify(error)));
      else waiting?.take(result);
    }
  }
  #send(message) {
    this.#process.stdin.write(message);
  }
};
var MessageReader = class {
  /** When the last message was there as a whole, by the clock of `performance`. */
  arrived = 0;
  #unread = Buffer.alloc(0);
  read(chunk, take) {
    this.#unread = this.#unread.length === 0 ? chunk : Buffer.concat([this.#unread, chunk]);
    for (; ; ) {
      const head = this.#unread.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#unread.toString("latin1", 0, head))?.[1]);
      const end = head + 4 + length;
      if (this.#unread.length < end) return;
      this.arrived = performance.now();
      const body = this.#unread.toString("utf8", head + 4, end);
      this.#unread = this.#unread.subarray(end);
      take(JSON.parse(body));
    }
  }
};
function notification(method, params) {
  return framed({ jsonrpc: "2.0", method, params });
}
function framed(message) {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r
\r
`), body]);
}

// scripts/bench/measure-limits.ts
var settings = assignment();
var million = 1e6;
var longestOpening = 2e3;
var longestRequest = 1e3;
var longestKeystroke = 50;
var largestMemory = 300 * million;
var memoryPerByte = 16;
var ownSizes = settings.isQuick ? [0.1, 1] : [0.1, 1, 10];
var sizes = settings.megabytes === void 0 ? ownSizes : [settings.megabytes];
var strokes = 5;
for (const trigger of hostileTriggers) {
  if (settings.filter === void 0 || trigger.name.includes(settings.filter)) await measure(trigger);
}
async function measure(trigger) {
  const wanted = trigger.sizes ?? sizes;
  const costs = [];
  for (const size of wanted) {
    const text = trigger.text(size * million);
    costs.push(trigger.command ? commandCost(trigger.command, text) : await serverCost(trigger, text));
  }
  if (costs.length === 0) return;
  const isReached = costs.every(
    ({ opening: opening2, worst: worst2, keystroke: keystroke2, memory: memory2 }, index) => (trigger.command !== void 0 || opening2 <= longestOpening) && worst2.spent <= longestRequest && keystroke2 <= longestKeystroke && memory2 <= Math.max(largestMemory, memoryPerByte * (wanted[index] ?? 0) * million)
  );
  const { worst } = costs.reduce((one, other) => other.worst.spent > one.worst.spent ? other : one);
  const opening = Math.max(...costs.map((it) => it.opening));
  const keystroke = Math.max(...costs.map((it) => it.keystroke));
  const memory = Math.max(...costs.map((it) => it.memory));
  const figure = trigger.command ? milliseconds(worst.spent) : `opening ${milliseconds(opening)}, ${worst.name} ${milliseconds(worst.spent)}, keystroke ${milliseconds(keystroke)}, ${digits(memory / million)} MB`;
  report({
    what: `Limit, ${trigger.name}: ${wanted.map(String).join(", ")} MB`,
    ours: costs.map(inWords).join("; "),
    figure,
    target: trigger.command ? "\u2264 1,000 ms" : "\u2264 2,000 ms, 1,000 ms, 50 ms, 300 MB",
    isReached
  });
}
function inWords({ opening, slow }) {
  const slowest = slow.map(({ name, spent }) => `${name} ${milliseconds(spent)}`);
  return [`opening ${milliseconds(opening)}`, ...slowest].join(", ");
}
async function serverCost({ requests, at }, text) {
  const session = new Session(settings.server, "openchatml");
  await session.initialize();
  await session.rest();
  const idle = session.memory()?.now ?? 0;
  const opening = await workOf(session, () => session.open(text));
  const places = Object.values(placesOf(text));
  if (at) places.push(...Object.values(placesOf(text.slice(0, text.indexOf(at) + at.length))).slice(-1));
  const { end } = placesOf(text);
  const spentBy = /* @__PURE__ */ new Map();
  for (const { name, method, hasPlace, params } of serverRequests) {
    if (requests && !requests.includes(method)) continue;
    for (const place of hasPlace ? places : places.slice(0, 1)) {
      let answer2;
      const spent2 = await workOf(session, async () => {
        answer2 = await session.ask(`textDocument/${method}`, params(place, end)).catch(refused);
      });
      spentBy.set(name, Math.max(spent2, spentBy.get(name) ?? 0));
      if (method !== "codeAction") continue;
      for (const action of unresolvedIn(answer2)) {
        const spent3 = await workOf(
          session,
          () => session.resolve("codeAction/resolve", action).catch(refused)
        );
        spentBy.set(action.title, Math.max(spent3, spentBy.get(action.title) ?? 0));
      }
    }
  }
  const spent = [...spentBy].map(([name, spent2]) => ({ name, spent: spent2 })).sort((one, other) => other.spent - one.spent);
  const [worst = { name: "nothing", spent: 0 }] = spent;
  const slow = spent.filter((it) => it.spent > longestRequest / 2);
  let keystroke = 0;
  for (const place of places) keystroke = Math.max(keystroke, await keystrokeAt(session, place));
  const memory = (session.memory()?.peak ?? 0) - idle;
  await session.close();
  return { opening, worst, slow, keystroke, memory };
}
async function keystrokeAt(session, place) {
  const spans = [];
  for (let stroke = 0; stroke < strokes; stroke++) {
    const { line, character } = place;
    const insertion = { line, character: character + stroke, text: "x" };
    spans.push(await workOf(session, () => session.type(insertion)));
  }
  return spans.sort((one, other) => one - other)[strokes >> 1] ?? 0;
}
function refused() {
  return void 0;
}
var resolvedAtMost = 10;
function unresolvedIn(answer2) {
  const actions2 = answer2?.result ?? [];
  return actions2.filter(({ data }) => data !== void 0).slice(0, resolvedAtMost);
}
async function workOf(session, ask) {
  const begun = performance.now();
  const before = session.worked();
  await ask();
  const spent = performance.now() - begun;
  const after = session.worked();
  return before === void 0 || after === void 0 ? spent : Math.min(spent, after - before);
}
function commandCost(command, text) {
  const folder = mkdtempSync(join(tmpdir(), "ocm-limits-"));
  try {
    const file = join(folder, "text.ocm");
    writeFileSync(file, text);
    writeFileSync(join(folder, "empty.ocm"), "<|start|>user<|message|>Hi<|end|>\n");
    const empty = runFor(command, join(folder, "empty.ocm"));
    const spent = Math.max(0, runFor(command, file) - empty);
    return { opening: spent, worst: { name: command.join(" "), spent }, slow: [], keystroke: 0, memory: 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
function runFor(command, file) {
  const begun = performance.now();
  spawnSync(process.execPath, [settings.program, ...command, file], { stdio: "ignore" });
  return performance.now() - begun;
}
