import { describe, expect, test } from "bun:test"
import { omnivore } from "../../src/bookmarks/Omnivore.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, jsonFile, realFile } from "./support/files.ts"

describeData("bookmarks", "Omnivore's real export", () => {
  test("reads all of its pages", async () => {
    const bookmarks = await bookmarksIn(omnivore, realFile("json/omnivore.json"))
    expect(bookmarks).toHaveLength(20)
    expect(bookmarks[2]).toEqual(
      bookmark({
        place: 3,
        url: "https://www.lemonde.fr/societe/article/2024/10/29/montpellier-enquete-ouverte-apres-la-mort-d-une-jeune-femme-des-suites-d-une-meningite-malgre-des-appels-au-samu-et-aux-pompiers_6365359_3224.html",
        title:
          "Montpellier\u00a0: enquête ouverte après la mort d’une jeune femme des suites d’une méningite, malgré des appels au SAMU et aux pompiers",
        description:
          "Malgré deux appels aux secours, l’un au 15 et l’autre au 18, ce sont deux amis qui ont conduit la femme de 25\u00a0ans à une clinique montpelliéraine, avant qu’elle ne soit transférée au CHU et ne meure.",
        tags: ["RSS", "TEST"],
        createdAt: "2024-10-29T16:09:19.000Z"
      })
    )
  })
})

describe("omnivore", () => {
  test("reads a page that says nearly nothing", async () =>
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
})
