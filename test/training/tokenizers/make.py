"""Makes the small tokenizers of this folder, and what the reference (`pip install tokenizers`) makes of some texts.

    python3 test/training/tokenizers/make.py
"""
import glob
import json
import os

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

here = os.path.dirname(os.path.abspath(__file__))
files = sorted(glob.glob(os.path.join(here, "../../../docs/*.md")))
special = ["<|im_start|>", "<|im_end|>"]
texts = [
    "Hello, how are you?",
    "<|im_start|>user\nWhat's 2 + 2?<|im_end|>\n<|im_start|>assistant\nIt's 4.<|im_end|>\n",
    "  leading and   inner spaces \n\n and lines\t.",
    "naïve café — “quoted” 😀 家族 👩‍👩‍👧",
    "The quick BROWN fox; don't STOP 12345 67.89!",
    '{"name": "get_weather", "arguments": {"city": "Zürich", "days": 3}}',
    "def f(x):\n    return x ** 2  # squared\n",
    "",
    " ",
    "a",
    "Ünïcödé ﬁne e\u0301",
    "мир привет שלום",
]

# As Llama 3 and Qwen: text split by an expression, then merged byte by byte.
byte_level = Tokenizer(models.BPE())
byte_level.pre_tokenizer = pre_tokenizers.Sequence(
    [
        pre_tokenizers.Split(
            Regex(
                r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
            ),
            "isolated",
        ),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ]
)
byte_level.decoder = decoders.ByteLevel()
byte_level.train(
    files,
    trainers.BpeTrainer(
        vocab_size=700, special_tokens=special, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    ),
)

# As Gemma and Mistral: spaces are a character of their own, and what is not in the vocabulary is bytes.
sentence = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>", fuse_unk=True))
sentence.normalizer = normalizers.Replace(" ", "▁")
sentence.pre_tokenizer = pre_tokenizers.Split(Regex("▁"), "merged_with_next")
sentence.decoder = decoders.Sequence(
    [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
)
sentence.train(
    files,
    trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=["<unk>", *special, *[f"<0x{byte:02X}>" for byte in range(256)]],
        limit_alphabet=80,
    ),
)
data = json.loads(sentence.to_str())
# What they do have: it splits nothing, because there are no spaces left.
data["pre_tokenizer"] = {
    "type": "Split",
    "pattern": {"String": " "},
    "behavior": "MergedWithPrevious",
    "invert": False,
}
data["added_tokens"] = [it for it in data["added_tokens"] if not it["content"].startswith("<0x")]
sentence = Tokenizer.from_str(json.dumps(data))

# As BERT: lower case, no accents, words and their continuations.
words = Tokenizer(models.WordPiece(unk_token="[UNK]"))
words.normalizer = normalizers.BertNormalizer(lowercase=True)
words.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
words.decoder = decoders.WordPiece(prefix="##")
words.train(files, trainers.WordPieceTrainer(vocab_size=500, special_tokens=["[UNK]", *special]))



def made(tokenizer, texts):
    rows = []
    for text in texts:
        it = tokenizer.encode(text, add_special_tokens=False)
        rows.append({"text": text, "ids": it.ids, "offsets": it.offsets})
    return rows


def write(name, value):
    with open(os.path.join(here, f"{name}.json"), "w") as file:
        json.dump(value, file, ensure_ascii=False, separators=(",", ":"))
        file.write("\n")


for name, tokenizer in {"byte-level": byte_level, "sentence": sentence, "words": words}.items():
    write(name, json.loads(tokenizer.to_str()))
    write(f"{name}.expected", made(tokenizer, texts))

# As Llama 2 and Mistral: a space comes before the text, or before each piece of it between special tokens.
spaced = [
    "a",
    "1",
    "\n",
    " one",
    "  two",
    "😀!",
    "▁",
    "▁a▁ b",
    "<|im_start|>x<|im_end|> y",
    " <|im_start|>  x\n<|im_end|>",
    "<|im_start|>▁x<|im_end|>1",
    *texts,
]
replaced = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
prepended = {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, replaced]}


def metaspace(**options):
    return {"type": "Metaspace", "replacement": "▁", **options}


variants = [
    {"normalizer": prepended, "pre_tokenizer": None},
    {"normalizer": None, "pre_tokenizer": metaspace(prepend_scheme="first", split=False)},
    {"normalizer": None, "pre_tokenizer": metaspace(prepend_scheme="always", split=True)},
    {"normalizer": None, "pre_tokenizer": metaspace(prepend_scheme="never", split=True)},
]
for variant in variants:
    variant["rows"] = made(Tokenizer.from_str(json.dumps({**data, **variant})), spaced)
write("leading-space.expected", variants)
