import { describe, expect, test } from "bun:test"
import { parseEnv } from "node:util"
import { FastCheck as fc } from "effect"
import { parseDotenv, withoutSetting, withSetting } from "../../src/config/Dotenv.ts"
import { always, strangeText } from "../support/strange.ts"

const NAME = "WEBHOOK_SECRET"

describe("withSetting", () => {
  for (const [what, text, after] of [
    ["an empty file", "", `${NAME}=new\n`],
    ["another setting without an end of line", "PORT=1", `PORT=1\n${NAME}=new\n`],
    ["the setting, empty", `${NAME}=`, `${NAME}=new`],
    ["the setting in quotes", `${NAME}="old"\nPORT=1\n`, `${NAME}=new\nPORT=1\n`],
    ["the setting in quotes over lines", `${NAME}="o\nl # d"\nPORT=1\n`, `${NAME}=new\nPORT=1\n`],
    ["an escaped quote", `${NAME}="a\\"b"\nPORT=1\n`, `${NAME}=new\nPORT=1\n`],
    ["the setting exported and indented", `  export ${NAME} = old # why\n`, `  export ${NAME} = new # why\n`],
    ["the setting twice", `${NAME}=a\nPORT=1\n${NAME}=b\n`, `PORT=1\n${NAME}=new\n`],
    ["a hash within the old value", `${NAME}=old#secret\n`, `${NAME}=new\n`],
    ["the setting as a comment", `#${NAME}=\n\nPORT=1\n`, `#${NAME}=\n${NAME}=new\n\nPORT=1\n`],
    ["a setting of a longer name", `MY_${NAME}=a\n${NAME}S=b\n`, `MY_${NAME}=a\n${NAME}S=b\n${NAME}=new\n`],
    [
      "the name within quotes",
      `NOTE="one\n${NAME}=two\nthree"\n`,
      `NOTE="one\n${NAME}=two\nthree"\n${NAME}=new\n`
    ],
    ["CRLF line endings", `PORT=1\r\n${NAME}=old\r\nHOST=h\r\n`, `PORT=1\r\n${NAME}=new\r\nHOST=h\r\n`],
    ["CRLF line endings, without it", "PORT=1\r\n", `PORT=1\r\n${NAME}=new\r\n`],
    ["a byte order mark", `\ufeffPORT=1\n`, `PORT=1\n${NAME}=new\n`],
    ["lines that set nothing", `hello\n${NAME}\n`, `hello\n${NAME}\n${NAME}=new\n`]
  ] as const)
    test(`sets the value in a file with ${what}`, () => {
      expect(withSetting(text, NAME, "new")).toBe(after)
      expect({ ...parseEnv(after) }).toEqual({ ...parseEnv(text), [NAME]: "new" })
    })

  for (const [value, written] of [
    ["plain-1_2", "plain-1_2"],
    ["10 seconds", "10 seconds"],
    ["a$HOME b", "a$HOME b"],
    ["http://u:p@h/?q=1&r=2", "http://u:p@h/?q=1&r=2"],
    ["C:\\new", "C:\\new"],
    ["a#b", "'a#b'"],
    [" padded ", "' padded '"],
    ["it's #1", '"it\'s #1"'],
    ["'quoted'", "\"'quoted'\""],
    ["it's \\n #1", "`it's \\n #1`"],
    ["naïve 日本", "naïve 日本"],
    ["", ""]
  ] as const)
    test(`writes ${JSON.stringify(value)} as ${written}`, () =>
      expect(withSetting("", NAME, value)).toBe(`${NAME}=${written}\n`))

  test("refuses what no quotes can hold", () => {
    for (const value of ["two\nlines", "two\rlines", "nul\0", "#'\"`"])
      expect(withSetting("PORT=1\n", NAME, value)).toBeUndefined()
    expect(withSetting("PORT=1\n", NAME, "a'\"`")).toBe(`PORT=1\n${NAME}=a'"\`\n`)
  })
})

describe("withoutSetting", () => {
  for (const [what, text, after] of [
    ["one line", `# why\nPORT=1\n${NAME}=a # b\nHOST=h\n`, "# why\nPORT=1\nHOST=h\n"],
    ["several lines", `${NAME}="a\nb"\nPORT=1\nexport ${NAME}=c`, "PORT=1\n"],
    ["nothing", "PORT=1\r\n", "PORT=1\r\n"]
  ] as const)
    test(`removes ${what}`, () => expect(withoutSetting(text, NAME)).toBe(after))
})

const names = ["PORT", NAME, "OTHER", "A.B-c"] as const
const line = fc.oneof(
  strangeText(4),
  fc
    .tuple(fc.constantFrom(...names, `export ${NAME}`, ` ${NAME} `), strangeText(3))
    .map((two) => two.join("=")),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(..."\"'`"), strangeText(2), fc.boolean())
    .map(([name, quote, text, isOpen]) => `${name}=${quote}${text}${isOpen ? "" : quote}`),
  fc.constantFrom("# a comment", "", "A='quoted", 'B="also', "'", "PORT = 1 # why", `#${NAME}=`, '"\\"')
)
const file = fc
  .tuple(fc.constantFrom("", "\ufeff"), fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"))
  .map(([mark, lines, end]) => mark + lines.join(end))
const special = fc.string({ unit: fc.constantFrom(..."\"'`#$\\ {}=\t!:;é🦜\u00a0aB1"), maxLength: 12 })
const value = fc.oneof(special, strangeText(3))

describe("any dotenv file", () => {
  let [written, refused] = [0, 0]
  always(
    "keeps its other values when a setting is written, and reads it back",
    fc.tuple(file, fc.constantFrom("PORT", NAME), value),
    ([text, name, given]) => {
      const after = withSetting(text, name, given)
      if (after === undefined) refused++
      else {
        written++
        expect({ ...parseDotenv(after) }).toEqual({ ...parseDotenv(text), [name]: given })
      }
    },
    2_000
  )
  test("is refused for a reason only", () => expect(refused).toBeLessThan(written / 4))

  always(
    "loses only the setting that is removed",
    fc.tuple(file, fc.constantFrom("PORT", NAME)),
    ([text, name]) => {
      const after = withoutSetting(text, name)
      const { [name]: _, ...others } = parseDotenv(text)
      if (after !== undefined) expect({ ...parseDotenv(after) }).toEqual(others)
    },
    1_000
  )

  always(
    "keeps every comment and the order of its lines",
    fc.tuple(
      fc.array(
        fc.oneof(
          fc.integer({ min: 0, max: 99 }).map((number) => `# comment ${number}`),
          fc.tuple(fc.constantFrom("HOST", "OTHER", NAME), fc.nat()).map(([name, n]) => `${name}=${n}`)
        ),
        { maxLength: 8 }
      ),
      special
    ),
    ([lines, given]) => {
      const after = withSetting(lines.join("\n"), NAME, given)
      const others = (text: string) => text.split("\n").filter((one) => one !== "" && !one.startsWith(NAME))
      if (after !== undefined) expect(others(after)).toEqual(others(lines.join("\n")))
    }
  )
})

/** What `docker run --env-file` reads: everything after the first equals sign, whatever it is. */
const readAsDocker = (text: string) =>
  Object.fromEntries(
    text
      .split("\n")
      .filter((one) => one !== "" && !one.startsWith("#"))
      .map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)])
  )

/** What Node's own parser reads in each text, in one process. */
const readByNode = async (texts: ReadonlyArray<string>): Promise<ReadonlyArray<Record<string, string>>> => {
  const script =
    "let i='';process.stdin.on('data',d=>i+=d).on('end',()=>console.log(JSON.stringify(JSON.parse(i).map(t=>({...require('node:util').parseEnv(t)})))))"
  const child = Bun.spawn(["node", "-e", script], {
    stdin: new Blob([JSON.stringify(texts)]),
    stdout: "pipe"
  })
  return JSON.parse(await new Response(child.stdout).text())
}

describe("a written file", () => {
  const before = '# A comment\nPORT=1\nexport HOST = "a b" # why\n\nNOTE="two\nlines"\n'
  const written = fc.sample(special, { numRuns: 1_000, seed: 7 }).flatMap((given) => {
    const text = withSetting(before, NAME, given)
    return text === undefined ? [] : [{ given, text }]
  })

  test.if(Bun.which("node") !== null)("is read alike by Node", async () => {
    const read = await readByNode(written.map(({ text }) => text))
    const [known] = await readByNode([before])
    expect(written.length).toBeGreaterThan(800)
    for (const [index, { given }] of written.entries())
      expect(read[index]).toEqual({ ...known, [NAME]: given })
  })

  test("is read alike by Docker, unless the value needs quotes", () => {
    const unquoted = written.filter(({ given }) => withSetting("", NAME, given) === `${NAME}=${given}\n`)
    expect(unquoted.length).toBeGreaterThan(100)
    for (const { given } of unquoted)
      expect(readAsDocker(withSetting("PORT=1\n", NAME, given) ?? "")).toEqual({ PORT: "1", [NAME]: given })
  })
})
