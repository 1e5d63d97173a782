/** Real material with some of it spoilt, as it arrives from broken and from malicious senders. */

type Random = () => number

const strange: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  "",
  "\ud800",
  "\0",
  "\u202e",
  "https://example.org/a",
  "/save",
  [],
  {},
  [[null]],
  [{}],
  { toString: 5 },
  "__proto__",
  "x".repeat(5_000)
]

const pick = <A>(all: ReadonlyArray<A>, random: Random): A | undefined =>
  all[Math.floor(random() * all.length)]

/** The same JSON with some values of another type, some left out, and some told twice over. */
export const spoiltJson = (value: unknown, random: Random, often = 0.08): unknown => {
  if (random() < often) return pick(strange, random)
  const kept = <A>(all: ReadonlyArray<A>) => all.filter(() => random() >= often)
  if (Array.isArray(value)) {
    const inner = kept(value).map((one) => spoiltJson(one, random, often))
    return random() < often ? [...inner, ...inner] : inner
  }
  if (typeof value !== "object" || value === null) return value
  const entries = kept(Object.entries(value))
  return Object.fromEntries(entries.map(([name, one]) => [name, spoiltJson(one, random, often)]))
}

const pieces = [
  ..."< > </ /> <! <!-- --> <![CDATA[ ]]> & &# &#x110000; \" ' = <script> </script> <title> <svg> <table>".split(
    " "
  ),
  ..."<meta <base <html <head> </head> <body> <p <a {{ [[[ ]}} \0 \ud800 \u202e \ufeff".split(" ")
]

/** The same bytes with some changed, taken out, put in, or told twice; and perhaps cut short. */
export const spoiltBytes = (whole: Uint8Array, random: Random): Uint8Array => {
  const below = (limit: number) => Math.floor(random() * Math.max(1, limit))
  let bytes = Buffer.from(whole)
  for (let times = 1 + below(12); times > 0; times--) {
    const at = below(bytes.length)
    const to = Math.min(bytes.length, at + below(random() < 0.2 ? bytes.length : 40))
    const [before, within, after] = [bytes.subarray(0, at), bytes.subarray(at, to), bytes.subarray(to)]
    const parts = [
      [before, after],
      [before, within, within, after],
      [before, Buffer.from(pick(pieces, random) ?? ""), after],
      [before, Uint8Array.of(below(256)), after],
      [before, within]
    ]
    bytes = Buffer.concat(pick(parts, random) ?? [bytes])
  }
  return bytes
}
