import { expect, test } from "bun:test"
import { readability } from "../../src/bookmarks/Readability.ts"
import { describeData } from "../support/data.ts"
import { bookmark, bookmarksIn, realFile } from "./support/files.ts"

describeData("bookmarks", "Readability's real export", () => {
  test("reads all of it, with its entities decoded", async () =>
    expect(await bookmarksIn(readability, realFile("json/readability.json"))).toEqual([
      bookmark({
        place: 1,
        url: "https://venngage.com/blog/hashtags-are-worthless/",
        title: "We Looked At 167,943 Tweets & Found Out Hashtags Are Worthless",
        description:
          "When Twitter started it had so much promise to change the way we communicate. But now it has been ruined by the amount of garbage and hate we have to wade through. It’s like that polluted…",
        createdAt: "2016-08-25T12:05:00.000Z"
      }),
      bookmark({
        place: 2,
        url: "http://news.nationalgeographic.com/2016/02/160211-albatrosses-mothers-babies-animals-science/&sf20739758=1",
        title: "No title found",
        createdAt: "2016-09-08T09:55:58.000Z",
        favorite: true
      }),
      bookmark({
        place: 3,
        url: "https://www.20minutes.fr/bordeaux/2120479-20170823-bordeaux-poche-chocolatine-association-traduit-etudiants-etrangers-mots-sud-ouest",
        title:
          "Bordeaux: Poche, chocolatine… Une association traduit aux étudiants étrangers les mots du Sud-Ouest",
        createdAt: "2016-09-08T09:55:58.000Z"
      })
    ]))
})
