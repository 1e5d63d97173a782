import { describe, expect, test } from "bun:test"
import { Effect, Either } from "effect"
import { strToU8, zipSync } from "fflate"
import { openZip, zipInMemory } from "../../../src/transfer/files/Zip.ts"
import { readAny, refusal } from "../support/anyFile.ts"
import { samples } from "../support/samples.ts"

import { type Packed, zipOf } from "../support/zips.ts"

const page = "title,url,time_added,tags,status\nExample,https://example.com/,1688628695,a|b,unread\n"
const other = "title,url,time_added,tags,status\nOther,https://example.org/,1688628695,,archive\n"

const limits = { entries: 1_000, entry: 100_000, ratio: 100 }
const opened = (files: ReadonlyArray<Packed>, end?: Parameters<typeof zipOf>[1]) =>
  openZip(zipInMemory(zipOf(files, end)), limits)
const messageOf = (result: Either.Either<unknown, { readonly message: string }>) =>
  Either.match(result, { onLeft: ({ message }) => message, onRight: () => "" })

/** What is read in a zip: each file with its format and its addresses, or with the reason why it is not read. */
const readZip = (files: ReadonlyArray<Packed>) =>
  Effect.runSync(readAny(zipOf(files))).map(({ name, read }) =>
    Either.match(read, {
      onLeft: (reason) => [name, reason],
      onRight: ({ bookmarks, format }) => [name, format, ...bookmarks.map(({ url }) => url)]
    })
  )

describe("openZip", () => {
  test("opens what a zip program writes", () => {
    const zip = openZip(
      zipInMemory(zipSync({ "a/list.csv": strToU8(page), "b.csv": [strToU8(other), { level: 0 }] })),
      limits
    )
    const files = Either.getOrThrow(zip).map((entry) => [
      entry.path,
      entry.size,
      Buffer.from(Either.getOrThrow(entry.unpack())).toString()
    ])
    expect(files).toEqual([
      ["a/list.csv", page.length, page],
      ["b.csv", other.length, other]
    ])
  })

  test("opens Zip64", () => {
    const files = Either.getOrThrow(
      opened([{ name: "a.csv", data: page, deflated: true, wide: true }], { wide: true })
    )
    expect(files.map((file) => Buffer.from(Either.getOrThrow(file.unpack())).toString())).toEqual([page])
  })

  test("refuses a file that is larger or smaller than the zip says, or has other bytes", () => {
    for (const wrong of [{ size: 5 }, { size: 5_000 }, { checksum: 1 }])
      for (const deflated of [true, false]) {
        const [file] = Either.getOrThrow(opened([{ name: "a", data: page, deflated, ...wrong }]))
        if (file === undefined) throw new Error("no file")
        expect(file.problem ?? messageOf(file.unpack())).toMatch(/^It is damaged/)
      }
  })

  test("names what cannot be unpacked", () => {
    const files = Either.getOrThrow(
      opened([
        { name: "locked", data: page, flags: 1 },
        { name: "odd", data: page, method: 14 },
        { name: "large", data: new Uint8Array(100_001) }
      ])
    )
    expect(files.map(({ problem }) => problem)).toEqual([
      "It is protected with a password. Unpack it and import it by itself.",
      "It is packed with an unusual method. Unpack it and import it by itself.",
      "It is too large to be read from a zip. Unpack it and import it by itself."
    ])
  })

  test("refuses a zip that is cut off or damaged, wherever it is", () => {
    const whole = zipOf([
      { name: "a.csv", data: page, deflated: true },
      { name: "b.csv", data: other }
    ])
    for (let length = 0; length < whole.length; length++)
      expect(messageOf(openZip(zipInMemory(whole.subarray(0, length)), limits))).toMatch(
        /^The zip is (?:cut off|damaged)/
      )
    for (let at = 0; at < whole.length; at++) {
      const changed = whole.slice()
      changed[at] = (changed[at] ?? 0) ^ 0xff
      const result = openZip(zipInMemory(changed), limits)
      if (Either.isRight(result)) for (const file of result.right) file.unpack()
      else expect(result.left.message).toMatch(/\.$/)
    }
  })

  test("refuses a directory that promises more files than it has", () =>
    expect(messageOf(opened([{ name: "a", data: "b" }], { count: 3 }))).toBe(
      "The zip is damaged. Download or export it again."
    ))
})

describe("A zip bomb is refused before it is unpacked", () => {
  const bomb = "The zip is built to fill the memory when it is unpacked. It was not opened."
  const zeros = new Uint8Array(4 * 1024 * 1024)

  test("if it is flat", () =>
    expect(messageOf(opened([{ name: "a", data: zeros, deflated: true }]))).toBe(bomb))

  test("if its files share their data", () =>
    expect(
      messageOf(
        opened([
          { name: "a", data: page },
          ...Array.from({ length: 50 }, (_, at) => ({ name: `b${at}`, data: page, shares: 0 }))
        ])
      )
    ).toBe(bomb))

  test("if it says a small size for much data", () => {
    const [file] = Either.getOrThrow(opened([{ name: "a", data: zeros, deflated: true, size: 1_000 }]))
    if (file === undefined) throw new Error("no file")
    expect(messageOf(file.unpack())).toBe("It is damaged, or larger than the zip says.")
  })

  test("if it says a large size for little data", () =>
    expect(messageOf(opened([{ name: "a", data: "b", deflated: true, size: 0xfffffff0 }]))).toBe(bomb))

  test("if it has very many files", () => {
    const many = Array.from({ length: 1_001 }, (_, at) => ({ name: `${at}`, data: "" }))
    expect(messageOf(opened(many))).toBe(
      "The zip has more than 1,000 files. Import only the file with the links."
    )
  })

  test("if it is nested: a zip in a zip is not opened", () => {
    const inner = zipOf([{ name: "a.csv", data: page }])
    expect(
      readZip([
        { name: "inner.zip", data: inner },
        { name: "b.csv", data: other }
      ])
    ).toEqual([
      ["b.csv", "pocket-csv", "https://example.org/"],
      ["inner.zip", "It is a zip in the zip. Unpack it and import it by itself."]
    ])
    expect(refusal(zipOf([{ name: "inner.zip", data: inner }]))).toBe(
      "The zip has a zip in it. Unpack it and import the file with the links."
    )
  })

  test("if gzip in it unpacks to more than it may", () => {
    const packed = Bun.gzipSync(new Uint8Array(5 * 1024 * 1024))
    expect(refusal(packed)).toBe("Unpacked, the file is too large to import.")
    expect(
      readZip([
        { name: "a.json.gz", data: packed },
        { name: "b.csv", data: other }
      ])
    ).toEqual([
      ["b.csv", "pocket-csv", "https://example.org/"],
      ["a.json.gz", "Unpacked, the file is too large to import."]
    ])
  })
})

describe("The files of a zip", () => {
  test("are all read, in the order of their names", () =>
    expect(
      readZip([
        { name: "pocket/part_000010.csv", data: other, deflated: true },
        { name: "pocket/part_000002.csv", data: page, deflated: true }
      ])
    ).toEqual([
      ["pocket/part_000002.csv", "pocket-csv", "https://example.com/"],
      ["pocket/part_000010.csv", "pocket-csv", "https://example.org/"]
    ]))

  test("may be of several formats", () =>
    expect(
      readZip([
        { name: "a.csv", data: page },
        {
          name: "b.html",
          data: "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF=https://example.net/>N</A></DL>"
        }
      ])
    ).toEqual([
      ["a.csv", "pocket-csv", "https://example.com/"],
      ["b.html", "netscape", "https://example.net/"]
    ]))

  test("that cannot be read are named, and the others of no known form together", () =>
    expect(
      readZip([
        { name: "a.csv", data: page },
        { name: "broken.json", data: '[{"url": "https://exam' },
        { name: "picture", data: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0", "latin1") },
        { name: "logo.png", data: "\x89PNG\r\n\x1a\n\0\0\0" },
        { name: "__MACOSX/._a.csv", data: "\0\0" },
        ...Array.from({ length: 5 }, (_, at) => ({
          name: `notes ${at}.txt`,
          data: "see https://example.org/"
        }))
      ])
    ).toEqual([
      ["a.csv", "pocket-csv", "https://example.com/"],
      ["broken.json", "The file ends on line 1 in the middle of its JSON."],
      ["picture", "This is a PNG picture. It has no links to import."],
      ["notes 0.txt, notes 1.txt, notes 2.txt, and 2 more", "No list of links in a known form."]
    ]))

  test("are read as tables or JSON if none is of a product, and as text only if there is nothing else", () => {
    const text = { name: "readme.txt", data: "see https://example.org/" }
    expect(readZip([text, { name: "links.csv", data: "url,title\nhttps://example.com/,A" }])).toEqual([
      ["links.csv", "csv", "https://example.com/"],
      ["readme.txt", "No list of links in a known form."]
    ])
    expect(readZip([text, { name: "vault/note.md", data: "[A](https://example.com/)" }])).toEqual([
      ["readme.txt", "text", "https://example.org/"],
      ["vault/note.md", "text", "https://example.com/"]
    ])
  })

  test("are read like a file alone if there is one, whatever pictures are beside it", () =>
    expect(
      readZip([
        { name: "export/list.csv", data: page },
        { name: "export/a.jpg", data: "\xff\xd8\xff" },
        { name: "export/", data: "" }
      ])
    ).toEqual([["export/list.csv", "pocket-csv", "https://example.com/"]]))

  test("have names that are shown on one line, and lead nowhere", () =>
    expect(
      readZip([
        { name: "../../etc/cron.d/\u202ea\nb.csv", data: page },
        { name: "C:\\x\\b.csv", data: other }
      ])
    ).toEqual([
      ["../../etc/cron.d/ a b.csv", "pocket-csv", "https://example.com/"],
      ["C:/x/b.csv", "pocket-csv", "https://example.org/"]
    ]))

  test("are looked up by the formats that name them, from their own folder", () => {
    const [part, ...others] = Effect.runSync(
      readAny(
        zipOf([
          { name: "export/metadata_0_to_20.json", data: JSON.stringify(samples["omnivore"]) },
          { name: "export/content/example.html", data: "<p>The page’s words</p>", deflated: true },
          { name: "export/highlights/example.md", data: "> a quote" },
          { name: "content/example.html", data: "<p>Another’s</p>" },
          { name: "export/content/other.html", data: "<p>Of no link</p>" }
        ])
      )
    )
    expect(part?.read).toMatchObject({
      right: {
        format: "omnivore",
        bookmarks: [{ text: "The page’s words", highlights: [{ quote: "a quote" }] }]
      }
    })
    expect(others).toMatchObject([
      {
        name: "content/example.html and export/content/other.html",
        read: { left: "No list of links in a known form." }
      }
    ])
  })

  test("are named by their kind even if they are too large, if there is only one", () => {
    const data = crypto.getRandomValues(new Uint8Array(65_536))
    data.set(Buffer.from("SQLite format 3\0", "latin1"))
    const large = {
      name: "app.db",
      data: Buffer.concat(Array<Uint8Array>(16).fill(data)),
      size: 130 * 1024 * 1024
    }
    expect(refusal(zipOf([{ ...large, deflated: true }]))).toStartWith("This is an SQLite database.")
    expect(refusal(zipOf([{ ...large, name: "b", method: 14 }]))).toStartWith("This is an SQLite database.")
  })

  test("that are not there are missed", () => {
    expect(refusal(zipOf([]))).toBe("The zip is empty.")
    expect(refusal(zipOf([{ name: "a.jpg", data: "x" }]))).toBe(
      "The zip has only pictures and other media. It has no links to import."
    )
    expect(
      refusal(
        zipOf([
          { name: "a.txt", data: "x" },
          { name: "b.txt", data: "y" }
        ])
      )
    ).toBe("The zip has no file with links in a known form.")
    expect(
      refusal(
        zipOf([
          { name: "a.json", data: "[{" },
          { name: "b.txt", data: "y" }
        ])
      )
    ).toBe("Nothing in the zip can be imported. “a.json”: The file ends on line 1 in the middle of its JSON.")
  })
})
