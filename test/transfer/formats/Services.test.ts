import { describe, expect, test } from "bun:test"
import { instapaper, omnivore, readability } from "../../../src/transfer/formats/ReadLater.ts"
import { linkding } from "../../../src/transfer/formats/SelfHosted.ts"
import { delicious } from "../../../src/transfer/formats/Services.ts"
import { describeData } from "../../support/data.ts"
import linkdingExport from "../samples/linkding.json"
import { bookmark, bookmarksIn, fileOf, jsonFile, realFile } from "../support/files.ts"

describeData("bookmarks", "a real Delicious export", () => {
  test("is read whole", async () =>
    expect(await bookmarksIn(delicious, realFile("json/delicious.json"))).toEqual([
      bookmark({
        place: 1,
        url: "https://addyosmani.com/basket.js/",
        title: "basket.js - a simple script loader that caches scripts with localStorage",
        note: '"A simple (proof-of-concept) script loader that caches scripts with localStorage"',
        tags: ["basket", "javascript", "loader", "localStorage"],
        createdAt: "2013-01-18T17:53:27.000Z"
      }),
      bookmark({
        place: 2,
        url: "https://stackoverflow.com/review/",
        title: "Review - Stack Overflow",
        createdAt: "2013-01-17T21:17:17.000Z"
      }),
      bookmark({
        place: 3,
        url: "https://feross.org/spoofmac/",
        title: "Announcing SpoofMAC - Spoof your MAC address in Mac OS X",
        tags: ["MAC_address", "osx", "mac", "spoof"],
        createdAt: "2013-01-17T12:29:56.000Z"
      })
    ]))
})

describeData("bookmarks", "a real Instapaper table", () => {
  test("is read with states apart from folders", async () => {
    const bookmarks = await bookmarksIn(instapaper, realFile("csv/instapaper.csv"))
    expect(bookmarks).toHaveLength(4)
    expect(bookmarks.map(({ favorite, folders, state }) => [favorite, folders, state])).toEqual([
      [false, [], "unread"],
      [false, [], "archived"],
      [true, [], "read"],
      [false, ["test_tag"], "read"]
    ])
    expect(bookmarks[3]).toEqual(
      bookmark({
        place: 5,
        url: "https://www.20minutes.fr/high-tech/2077615-20170531-quoi-exactement-tweet-covfefe-donald-trump-persiste-signe",
        title: "Dis donc Donald Trump, c'est quoi exactement «covfefe»?",
        folders: ["test_tag"]
      })
    )
  })
})

describe("instapaper", () => {
  test("reads times and tags, and a selection as a note", async () =>
    expect(
      await bookmarksIn(
        instapaper,
        fileOf(
          'URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.example/,A &amp; B,"said, so",Unread,1763596800,"[""programming"", ""caf\\u00e9""]"\n'
        )
      )
    ).toEqual([
      bookmark({
        place: 2,
        url: "https://a.example/",
        title: "A & B",
        note: "said, so",
        tags: ["programming", "café"],
        createdAt: "2025-11-20T00:00:00.000Z",
        state: "unread"
      })
    ]))
})

const wanted = [
  bookmark({
    place: 1,
    url: "https://example.com/one",
    title: "One",
    note: "Read **twice**",
    description: "The first of them",
    tags: ["first", "number"],
    createdAt: "2020-09-26T09:46:23.006Z",
    state: "unread"
  }),
  bookmark({
    place: 2,
    url: "https://example.com/two",
    title: "Second",
    description: "Words of the second",
    createdAt: "2021-01-01T00:00:00.000Z"
  })
]

describe("linkding", () => {
  test("reads an API response, and prefers its own texts to the site's", async () =>
    expect(await bookmarksIn(linkding, jsonFile(linkdingExport))).toEqual(wanted))
  test("reads a bare list", async () =>
    expect(await bookmarksIn(linkding, jsonFile(linkdingExport.results))).toEqual(wanted))
  test("keeps what is archived", async () => {
    const [one] = linkdingExport.results
    const [archived] = await bookmarksIn(linkding, jsonFile([{ ...one, is_archived: true }]))
    expect(archived?.state).toBe("archived")
  })
})

describeData("bookmarks", "a real Omnivore export", () => {
  test("is read whole", async () => {
    const bookmarks = await bookmarksIn(omnivore, realFile("json/omnivore.json"))
    expect(bookmarks).toHaveLength(20)
    expect(bookmarks.flatMap(({ state }, index) => (state === "archived" ? [index] : []))).toHaveLength(1)
    expect(bookmarks[2]).toEqual(
      bookmark({
        place: 3,
        url: "https://www.lemonde.fr/societe/article/2024/10/29/montpellier-enquete-ouverte-apres-la-mort-d-une-jeune-femme-des-suites-d-une-meningite-malgre-des-appels-au-samu-et-aux-pompiers_6365359_3224.html",
        title:
          "Montpellier\u00a0: enquête ouverte après la mort d’une jeune femme des suites d’une méningite, malgré des appels au SAMU et aux pompiers",
        description:
          "Malgré deux appels aux secours, l’un au 15 et l’autre au 18, ce sont deux amis qui ont conduit la femme de 25\u00a0ans à une clinique montpelliéraine, avant qu’elle ne soit transférée au CHU et ne meure.",
        tags: ["RSS", "TEST"],
        createdAt: "2024-10-29T16:09:19.000Z",
        state: "unread"
      })
    )
  })
})

describe("omnivore", () => {
  test("reads a page with almost no data", async () =>
    expect(
      await bookmarksIn(
        omnivore,
        jsonFile([
          {
            url: "https://a.example/",
            title: null,
            description: null,
            labels: null,
            savedAt: null,
            slug: "a"
          }
        ])
      )
    ).toEqual([bookmark({ place: 1, url: "https://a.example/" })]))
  test("counts a page as read that was read to its end", async () => {
    const page = { url: "https://a.example/", slug: "a", savedAt: "2024-10-29T16:09:19.000Z" }
    const all = await bookmarksIn(
      omnivore,
      jsonFile([
        { ...page, state: "Active", readingProgress: 99 },
        { ...page, state: "Active", readingProgress: 100 },
        { ...page, state: "Archived", readingProgress: 0 }
      ])
    )
    expect(all.map(({ state }) => state)).toEqual(["unread", "read", "archived"])
  })
})

describeData("bookmarks", "a real Readability export", () => {
  test("is read whole, with decoded entities", async () =>
    expect(await bookmarksIn(readability, realFile("json/readability.json"))).toEqual([
      bookmark({
        place: 1,
        url: "https://venngage.com/blog/hashtags-are-worthless/",
        title: "We Looked At 167,943 Tweets & Found Out Hashtags Are Worthless",
        description:
          "When Twitter started it had so much promise to change the way we communicate. But now it has been ruined by the amount of garbage and hate we have to wade through. It’s like that polluted…",
        createdAt: "2016-08-25T12:05:00.000Z",
        state: "unread"
      }),
      bookmark({
        place: 2,
        url: "http://news.nationalgeographic.com/2016/02/160211-albatrosses-mothers-babies-animals-science/&sf20739758=1",
        title: "No title found",
        createdAt: "2016-09-08T09:55:58.000Z",
        favorite: true,
        state: "unread"
      }),
      bookmark({
        place: 3,
        url: "https://www.20minutes.fr/bordeaux/2120479-20170823-bordeaux-poche-chocolatine-association-traduit-etudiants-etrangers-mots-sud-ouest",
        title:
          "Bordeaux: Poche, chocolatine… Une association traduit aux étudiants étrangers les mots du Sud-Ouest",
        createdAt: "2016-09-08T09:55:58.000Z",
        state: "unread"
      })
    ]))
})

describe("a page of an Omnivore archive", () => {
  test("has the text and the highlights of its files", async () => {
    const files: Readonly<Record<string, string>> = {
      "content/a-page-1.html": "<html><head><title>A</title></head><body><p>One</p><p>Two</p></body></html>",
      "highlights/a-page-1.md": "> marked\n"
    }
    const file = jsonFile([
      { url: "https://a.example/", slug: "a-page-1", savedAt: "2024-01-02T03:04:05Z", labels: [] },
      { url: "https://b.example/", slug: "none", savedAt: null, labels: null }
    ])
    expect(await bookmarksIn(omnivore, { ...file, companion: (path) => files[path] })).toEqual([
      bookmark({
        place: 1,
        url: "https://a.example/",
        highlights: [{ quote: "marked", note: "", colour: "yellow", createdAt: null }],
        createdAt: "2024-01-02T03:04:05.000Z",
        text: "One\nTwo"
      }),
      bookmark({ place: 2, url: "https://b.example/" })
    ])
  })
})

describe("the name of a missing value", () => {
  for (const cell of ["null", "NULL", "None", "undefined", "[null]", "[None]", ""])
    test(`${JSON.stringify(cell)} is no tag`, async () => {
      const [one] = await bookmarksIn(
        instapaper,
        fileOf(`URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.example/,null,NULL,null,null,${cell}\n`)
      )
      expect(one).toEqual(bookmark({ place: 2, url: "https://a.example/" }))
    })
  test("is no tag in JSON either", async () => {
    for (const labels of [null, "null", [null], [{ name: null }], "", {}])
      expect(
        (
          await bookmarksIn(
            omnivore,
            jsonFile([{ url: "https://a.example/", savedAt: "", labels, slug: "" }])
          )
        )[0]?.tags
      ).toEqual([])
  })
})
