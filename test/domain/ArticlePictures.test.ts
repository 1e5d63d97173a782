import { describe, expect, test } from "bun:test"
import { pictureAddresses, type ShownPicture, withPictures } from "../../src/domain/ArticlePictures.ts"

const kept: ShownPicture = { path: "/pictures/1", width: 800, height: 600 }

/** Shows the article when only the picture at this address is kept. */
const shown = (html: string, address = "https://example.org/a.png") =>
  withPictures(html, (one) => (one === address ? kept : "failed"))

describe("pictureAddresses", () => {
  test("lists each address once, in order, decoded", () => {
    const html =
      '<p><img src="https://example.org/b.png?x=1&amp;y=%22" alt="b"> and <img src="https://example.org/a.png" alt="" id="r1"></p>' +
      '<figure><img src="https://example.org/b.png?x=1&amp;y=%22" alt="again"></figure>'
    expect(pictureAddresses(html, 10)).toEqual([
      "https://example.org/b.png?x=1&y=%22",
      "https://example.org/a.png"
    ])
    expect(pictureAddresses(html, 1)).toHaveLength(1)
  })

  test("finds no picture in text", () => {
    expect(pictureAddresses('<p>&lt;img src="https://example.org/1.png" alt=""&gt;</p>', 10)).toEqual([])
  })

  test("takes linear time for an article of tags that do not end", () => {
    for (const piece of ["<img src=", "<img a ", '<img a="', "<img ", '<img src="<img src="'])
      expect(pictureAddresses(piece.repeat(60_000), 10).length).toBeLessThanOrEqual(10)
  })
})

describe("withPictures", () => {
  test("gives a kept picture its own address and size", () => {
    expect(shown('<p><img src="https://example.org/a.png" alt="A &quot;b&quot;"></p>')).toBe(
      '<p><img src="/pictures/1" alt="A &quot;b&quot;" width="800" height="600"></p>'
    )
  })

  test("keeps a narrower width that the page states, in the picture's proportions", () => {
    for (const [stated, size] of [
      ['width="400" height="90"', 'width="400" height="300"'],
      ['width="4000"', 'width="800" height="600"'],
      ['width="50%"', 'width="800" height="600"'],
      ['width="1"', 'width="1" height="1"']
    ])
      expect(shown(`<img src="https://example.org/a.png" alt="" ${stated}>`)).toBe(
        `<img src="/pictures/1" alt="" ${size}>`
      )
  })

  test("removes the address of a picture that is not kept, and says why", () => {
    expect(
      shown(
        '<img src="https://tracker.example/p.gif" alt="P"><img src="https://example.org/b.png" alt="" id="r1">'
      )
    ).toBe('<img alt="P" data-missing="failed"><img alt="" id="r1" data-missing="failed">')
    expect(withPictures('<img src="https://example.org/w.png" alt="">', () => "waiting")).toBe(
      '<img alt="" data-missing="waiting">'
    )
  })

  test("changes nothing else", () => {
    const html =
      '<h2 id="r1">A &amp; b</h2><pre><code class="language-html">&lt;img src="https://example.org/a.png"&gt;\n</code></pre>' +
      '<p lang="ar" dir="rtl"><a href="https://example.org/?a=%3Cimg%20src=x%3E">x</a><br>y</p>'
    expect(shown(html)).toBe(html)
  })
})
