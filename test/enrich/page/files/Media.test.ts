import { describe, expect, test } from "bun:test"
import { avifOf, exifOf, gifOf, jpegOf, pngOf, webpOf, xmpOf } from "./support/pictures.ts"
import { readingOf } from "./support/reading.ts"
import { flacOf, id3Of, mp3Of, mp4Of, opusOf, wavOf, webmOf } from "./support/recordings.ts"

/** Tags of EXIF (CIPA DC-008, table 4 and 7). */
const [DESCRIPTION, ARTIST, ORIENTATION, TAKEN, ZONE] = [0x010e, 0x013b, 0x0112, 0x9003, 0x9011] as const

describe("a picture", () => {
  const url = "https://example.org/photos/IMG_1.jpg"

  test("gives what its EXIF says, its size as shown, and itself as preview", async () => {
    const exif = exifOf(
      [
        [DESCRIPTION, "A boat on the lake"],
        [ARTIST, "Ann Bee"],
        [ORIENTATION, 6]
      ],
      [
        [TAKEN, "2024:05:01 10:11:12"],
        [ZONE, "+02:00"]
      ]
    )
    const { content, metadata } = await readingOf(jpegOf(4_032, 3_024, exif), {
      url,
      contentType: "text/html"
    })
    expect(metadata).toMatchObject({
      title: "IMG_1.jpg",
      description: "A boat on the lake",
      author: "Ann Bee",
      publishedAt: "2024-05-01T08:11:12.000Z",
      image: url,
      type: "image",
      facts: { size: "3024 x 4032" }
    })
    expect(content.text).toBe("A boat on the lake")
  })

  test("taken at a time without a zone is of that day, and a camera's name is no description", async () => {
    const exif = exifOf([[DESCRIPTION, "OLYMPUS DIGITAL CAMERA"]], [[TAKEN, "2024:05:01 23:59:59"]])
    expect((await readingOf(jpegOf(2, 3, exif), { url })).metadata).toMatchObject({
      description: "",
      publishedAt: "2024-05-01",
      facts: { size: "2 x 3" }
    })
  })

  test("gives what its XMP says", async () => {
    const xmp = xmpOf({
      title: "Cats &amp; dogs",
      description: "Two of each",
      creators: ["Ann Bee", "Cy Dee"]
    })
    expect((await readingOf(pngOf(640, 480, xmp))).metadata).toMatchObject({
      title: "Cats & dogs",
      description: "Two of each",
      author: "Ann Bee, Cy Dee",
      facts: { size: "640 x 480" }
    })
  })

  for (const [kind, bytes] of [
    ["GIF", gifOf(300, 200)],
    ["WebP", webpOf(300, 200)],
    ["AVIF with a thumbnail", avifOf(300, 200)],
    ["PNG", pngOf(300, 200)],
    ["JPEG", jpegOf(300, 200)],
    ["JPEG with broken EXIF", jpegOf(300, 200, Buffer.from("MM\0*\xff\xff\xff\xff", "latin1"))],
    ["simple WebP", Buffer.from("RIFF\x1e\0\0\0WEBPVP8 \x12\0\0\0\0\0\0\x9d\x01*,\x01\xc8\0\0\0", "latin1")],
    ["lossless WebP", Buffer.from("RIFF\x1e\0\0\0WEBPVP8L\x12\0\0\0/+\xc1\x31\0\0\0\0\0", "latin1")]
  ] as const)
    test(`in ${kind} gives its size`, async () => {
      expect((await readingOf(bytes)).metadata.facts).toEqual({ size: "300 x 200" })
    })

  test("that ends within its header has no size", async () => {
    for (const whole of [gifOf(3, 2), webpOf(3, 2), pngOf(3, 2), jpegOf(3, 2)])
      expect((await readingOf(whole.subarray(0, 14))).metadata).toMatchObject({ type: "image" })
  })

  test("drawn in SVG gives its title, description, size and labels", async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64.4 32"><title>A <![CDATA[<chart>]]></title><desc>Of things</desc><g><title>Part</title><text>One <tspan>label</tspan></text></g><script>alert(1)</script></svg>`
    const { content, metadata } = await readingOf(svg, { contentType: "image/svg+xml" })
    expect(metadata).toMatchObject({
      title: "A <chart>",
      description: "Of things",
      type: "image",
      facts: { size: "64 x 32" }
    })
    expect(content).toMatchObject({ text: "A <chart>\nOf things\nOne label", article: "" })
    expect((await readingOf('<svg width="12.6px" height="10"/>')).metadata.facts).toEqual({ size: "13 x 10" })
    expect((await readingOf('<svg width="100%" height="10em"/>')).metadata.facts).toEqual({})
  })
})

describe("a recording", () => {
  test("in MP3 gives its tags and length", async () => {
    const tag = id3Of({ TIT2: "Söng", TPE1: "The Band", TALB: "The Album" }, "A comment")
    const { content, metadata } = await readingOf(mp3Of(tag, 383), { contentType: "text/html" })
    expect(metadata).toMatchObject({
      title: "Söng",
      author: "The Band",
      description: "A comment",
      type: "audio",
      facts: { duration: 10 }
    })
    expect(content.text).toBe("Söng\nThe Band\nThe Album\nA comment")
  })

  for (const [kind, bytes, title, type, duration] of [
    ["WAV", wavOf({ INAM: "Wave", IART: "Ann" }, 7), "Wave", "audio", 7],
    ["FLAC", flacOf({ TITLE: "Flac", ARTIST: "Ann" }, 61), "Flac", "audio", 61],
    ["Opus", opusOf({ TITLE: "Opus", ARTIST: "Ann" }, 12), "Opus", "audio", 12],
    ["MP4", mp4Of({ seconds: 95, tags: { "\xa9nam": "Film" } }), "Film", "video", 95],
    [
      "M4A",
      mp4Of({ brand: "M4A ", handler: "soun", seconds: 95, tags: { "\xa9nam": "Song" } }),
      "Song",
      "audio",
      95
    ],
    ["WebM", webmOf("Web film", 33), "Web film", "video", 33],
    ["WebM without pictures", webmOf("Web song", 33, 2), "Web song", "audio", 33]
  ] as const)
    test(`in ${kind} gives its title, length and type`, async () => {
      expect((await readingOf(bytes)).metadata).toMatchObject({ title, type, facts: { duration } })
    })

  test("that is cut keeps its tags and only a length that it states", async () => {
    const cut = { isCut: true }
    const mp3 = await readingOf(mp3Of(id3Of({ TIT2: "Long" }), 383), cut)
    expect([mp3.metadata.title, mp3.metadata.facts]).toEqual(["Long", {}])
    const film = mp4Of({ seconds: 95, tags: { "\xa9nam": "Film" }, data: 100_000 }).subarray(0, 50_000)
    expect((await readingOf(film, cut)).metadata).toMatchObject({ title: "Film", facts: { duration: 95 } })
    const opus = await readingOf(opusOf({ TITLE: "Opus" }, 12), cut)
    expect([opus.metadata.title, opus.metadata.facts]).toEqual(["Opus", {}])
  })

  test("whose tags were not fetched keeps its name", async () => {
    const film = mp4Of({ seconds: 95, tags: { "\xa9nam": "Film" }, data: 100_000, isIndexLast: true })
    const { metadata } = await readingOf(film.subarray(0, 50_000), {
      isCut: true,
      url: "https://example.org/holiday.mp4"
    })
    expect(metadata).toMatchObject({ title: "holiday.mp4", type: "video", facts: {} })
    expect((await readingOf(film)).metadata).toMatchObject({ title: "Film" })
  })
})
