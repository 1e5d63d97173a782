import type { SizedPicture } from "../../../src/domain/ArticlePictures.ts"
import type { NewPage } from "../../../src/domain/KeptPage.ts"
import { encodePng } from "../../../web/app/icons/png.ts"
import { found } from "../../support/links.ts"
import type { DescribedLink } from "./describedLinks.ts"

/** Pages with everything that an article can have, and with what is hard to set. */

const at = (path: string) => `https://reading.example/${path}`

/** A picture in bands of two colours, as a photograph or a chart would stand in a text. */
const bands = (width: number, height: number, [one, two]: readonly [Rgb, Rgb]): SizedPicture => {
  const pixels = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const wave = Math.sin(x / 37) * 18 + y
      pixels.set([...(wave % 90 < 45 ? one : two), 255], (y * width + x) * 4)
    }
  return { type: "image/png", bytes: encodePng(width, height, pixels), width, height }
}
type Rgb = readonly [number, number, number]

/** The pictures of the articles, by their addresses. */
export const articlePictures: ReadonlyMap<string, SizedPicture> = new Map([
  [
    at("harbour.jpg"),
    bands(1200, 720, [
      [36, 88, 110],
      [222, 198, 150]
    ])
  ],
  [
    at("tower.jpg"),
    bands(480, 900, [
      [120, 60, 40],
      [240, 220, 200]
    ])
  ],
  [
    at("mark.png"),
    bands(24, 24, [
      [180, 40, 40],
      [250, 240, 240]
    ])
  ]
])

const paragraph = (subject: string) =>
  `<p>${subject} had been quiet all winter. Then, in the first warm week of March, the boats came back one after the other, and with them the noise: winches, gulls, a radio somewhere, the long low hum of the generator that nobody had dared to switch off.</p>`

const rich = `<p><em>A first paragraph sets the tone.</em> It is longer than the others, so that one sees how the lines run, where they break, and whether the measure is right for reading: about sixty-five characters a line, “quotation marks” that hang, an ellipsis… and a dash – here.</p>
${paragraph("The harbour")}<figure><img src="${at("harbour.jpg")}" alt="The harbour from the north pier" width="1200" height="720"><figcaption>The harbour from the north pier, a week before the first boats came back. <a href="${at("photos")}">More photographs</a>.</figcaption></figure>
<h2>What the sea brings</h2>${paragraph("The sea")}<blockquote><p>We are tied to the ocean. And when we go back to the sea, whether it is to sail or to watch it, we are going back from whence we came.</p><p>John F. Kennedy, 1962</p></blockquote>
<p>There is <strong>strong emphasis</strong>, <em>emphasis</em>, <a href="${at("elsewhere")}">a link to elsewhere</a>, a <code>code.span(with: arguments)</code>, a key such as <kbd>Ctrl</kbd>, H<sub>2</sub>O and E = mc<sup>2</sup>, <mark>marked words</mark>, <del>struck ones</del>, <q>a quotation</q>, and a note.<sup><a href="#r1">1</a></sup></p>
<h3>Lists within lists</h3><ul><li>Bread, still warm</li><li>Two kinds of cheese<ul><li>the old one, which crumbles</li><li>the young one</li></ul></li><li><p>A longer item that is a paragraph of its own and runs over more than one line, so that its hanging indent shows.</p></li></ul>
<ol start="3"><li>Cast off the lines.</li><li>Wait for the bell.</li><li>Leave.</li></ol>
<dl><dt>Bollard</dt><dd>A short post to which a ship may be tied.</dd><dt>Fender</dt><dd>What keeps the ship from the wall.</dd></dl>
<h2>Code and tables</h2>
<pre><code class="language-typescript">/** Counts the boats that are in. */
export const countBoats = async (harbour: Harbour, at = new Date()): Promise&lt;number&gt; =&gt; {
  const boats = await harbour.list({ since: at, limit: 1_000 })
  return boats.filter(({ state }) =&gt; state === "moored").length // "moored" only, and a comment that is a good deal longer than the line
}</code></pre>
<pre><code class="language-python">def tide(hour: int) -&gt; float:
    """Height of the tide in metres."""
    return 2.4 * math.sin(hour / 12.42 * 2 * math.pi)  # roughly</code></pre>
<table><caption>Boats by month</caption><thead><tr><th>Month</th><th>Arrived</th><th>Left</th><th>Longest boat</th><th>Remarks of the harbour master</th></tr></thead><tbody><tr><td>March</td><td>12</td><td>3</td><td>18.4 m</td><td>The first in nine weeks.</td></tr><tr><td>April</td><td>41</td><td>17</td><td>22.0 m</td><td>Two had to wait outside for the night.</td></tr><tr><td>May</td><td>103</td><td>96</td><td>31.7 m</td><td>No room at the north pier.</td></tr></tbody></table>
<h3>A tall picture</h3><figure><img src="${at("tower.jpg")}" alt="The tower" width="480" height="900"><figcaption>The tower.</figcaption></figure>
<p>A picture in a line <img src="${at("mark.png")}" alt="the mark" width="24" height="24"> stays in the line, and one that is not kept says what it showed: <img src="${at("gone.png")}" alt="A map of the coast"></p><hr>
${paragraph("The town")}${paragraph("The pier")}<h2>Notes</h2><ol><li id="r1">A note at the end, to which the text above leads.</li></ol>`

const arabic = `<p>كان الميناء هادئًا طوال الشتاء، ثم عادت القوارب في أول أسبوع دافئ من شهر آذار، واحدًا تلو الآخر، وعاد معها الضجيج.</p><h2>ما يجلبه البحر</h2><ul><li>خبز ساخن</li><li>نوعان من الجبن</li></ul><blockquote><p>نحن مرتبطون بالمحيط، وعندما نعود إلى البحر فإننا نعود إلى حيث أتينا.</p></blockquote><p>والسطر الأخير فيه كلمة <code>README.md</code> باللاتينية، و<a href="${at("ar")}">رابط</a>.</p><table><thead><tr><th>الشهر</th><th>القوارب</th></tr></thead><tbody><tr><td>آذار</td><td>12</td></tr></tbody></table>`

const japanese = `<p>港は冬の間ずっと静かだった。三月の最初の暖かい週に、船が一隻また一隻と戻ってきて、それとともに音も戻ってきた。ウインチ、カモメ、どこかのラジオ、そして誰も止めようとしなかった発電機の低いうなり。</p><h2>海がもたらすもの</h2><p>「私たちは海とつながっている。」と彼は言った。<em>強調された言葉</em>もある。</p><ul><li>温かいパン</li><li>二種類のチーズ</li></ul><blockquote><p>海に帰るとき、私たちは来た場所へ帰るのだ。</p></blockquote>`

const manyHeadings = Array.from(
  { length: 300 },
  (_, index) =>
    `<h${2 + (index % 3)}>Chapter ${index + 1}: on the tides of the coast</h${2 + (index % 3)}>${paragraph("The coast")}`
).join("")

/** An article of about 500 kB. */
const long = Array.from(
  { length: 420 },
  (_, index) =>
    `<h2>Part ${index + 1}</h2>${paragraph("The harbour").repeat(4)}<p><a href="${at(String(index))}">A link</a>.</p>`
).join("")

/** The articles, by their titles. */
const articles = {
  "The harbour in spring": {
    html: rich,
    language: "en",
    author: "Ada Fisher",
    siteName: "The Coastal Review"
  },
  "الميناء في الربيع": { html: arabic, language: "ar", author: "ليلى حداد", siteName: "مجلة الساحل" },
  春の港: { html: japanese, language: "ja", author: "佐藤 海", siteName: "海岸評論" },
  "One word": { html: "<p>Yes.</p>", language: "en", author: null, siteName: null },
  "Without headings": { html: paragraph("The bay").repeat(6), language: "en", author: null, siteName: null },
  "Three hundred headings": { html: manyHeadings, language: "en", author: null, siteName: "Tides" },
  "A long article": { html: long, language: "en", author: "Ada Fisher", siteName: "The Coastal Review" }
} as const satisfies Record<string, Pick<NewPage, "author" | "html" | "language" | "siteName">>

/** A link with this page kept as it is, clean or not. */
export const linkWithPage = (
  title: string,
  page: Pick<NewPage, "html"> & Partial<NewPage>,
  path = encodeURIComponent(title)
): DescribedLink => {
  const url = at(path)
  return {
    url,
    note: "",
    tags: [],
    collection: null,
    favorite: false,
    shareable: false,
    createdAt: "2026-03-12T09:00:00.000Z",
    found: found({ url, title }),
    page: {
      title,
      author: null,
      siteName: null,
      publishedAt: "2026-03-09",
      language: "en",
      source: "site",
      url,
      ...page
    },
    pictures: articlePictures
  }
}

/** Links whose pages are kept. */
export const linksWithPages: ReadonlyArray<DescribedLink> = Object.entries(articles).map(([title, page]) =>
  linkWithPage(title, page)
)
