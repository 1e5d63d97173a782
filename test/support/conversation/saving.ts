import type { Script } from "./script.ts"

const aRow = "hashtags beside a link are its tags"

/** Links with notes and hashtags, their edits, and replies to cards. */
export const saving: Script = {
  name: "saving links with notes",
  rows: [
    {
      shows: "a link alone is saved",
      say: "{Sourdough bread}",
      answer: /Sourdough bread/,
      buttons: ["Favorite"],
      stored: { url: "{Sourdough bread}", note: "" },
      count: 1
    },
    {
      shows: "paragraphs around a link are its note",
      say: "Before the link.\n\n{Rye bread}\n\nFirst after.\nSecond after.   ",
      answer: /Rye bread/,
      stored: { url: "{Rye bread}", note: "Before the link.\n\nFirst after.\nSecond after." },
      count: 2
    },
    {
      shows: "empty lines in a row become one",
      say: "{Oat bread}\none\n\n\n\n\ntwo",
      answer: /Oat bread/,
      stored: { url: "{Oat bread}", note: "one\n\ntwo" }
    },
    {
      shows: aRow,
      say: "{Crumb} #baking #Long_Ferment worth it",
      answer: /Crumb/,
      stored: { url: "{Crumb}", note: "worth it", tags: ["baking", "long-ferment"] },
      count: 4
    },
    {
      shows: "an edit changes the note",
      edit: aRow,
      to: "{Crumb} #baking #Long_Ferment well worth it",
      answer: /Note updated/,
      stored: { url: "{Crumb}", note: "well worth it" },
      count: 4
    },
    {
      shows: "a hashtag taken out of the message takes its tag off, a new one adds it",
      edit: aRow,
      to: "{Crumb} #baking #crumb well worth it",
      answer: /Note updated/,
      stored: { url: "{Crumb}", tags: ["baking", "crumb"], withoutTags: ["long-ferment"] }
    },
    {
      shows: "tags set by hand stay when the message loses its hashtag",
      change: { op: "tags", set: ["baking", "mine"] },
      of: "{Crumb}",
      answer: null,
      stored: { url: "{Crumb}", tags: ["mine"], withoutTags: ["crumb"] }
    },
    {
      shows: "a hashtag taken out after that leaves the tag",
      edit: aRow,
      to: "{Crumb} well worth it now",
      answer: /Note updated/,
      stored: { url: "{Crumb}", note: "well worth it now", tags: ["baking", "mine"] }
    },
    {
      shows: "a reply to a card is a note with hashtags",
      say: "keeps for a week\nin a bag #storage",
      replyTo: /^Oat bread/,
      answer: /^📝 Added to #3: “keeps for a week in a bag” #storage$/,
      stored: { url: "{Oat bread}", note: "one\n\ntwo\nkeeps for a week\nin a bag", tags: ["storage"] }
    },
    {
      shows: "an edited reply changes its part of the note",
      edit: "a reply to a card is a note with hashtags",
      to: "keeps for two weeks #freezer",
      answer: /Note updated/,
      stored: {
        url: "{Oat bread}",
        note: "one\n\ntwo\nkeeps for two weeks",
        tags: ["freezer"],
        withoutTags: ["storage"]
      }
    },
    {
      shows: "a reply of hashtags alone tags",
      say: "#oats",
      replyTo: /^Oat bread/,
      answer: /Tagged #oats/,
      stored: { url: "{Oat bread}", note: "one\n\ntwo\nkeeps for two weeks", tags: ["oats"] }
    },
    {
      shows: "/note takes hashtags and line breaks",
      say: "/note 1 first line\nsecond line #starter",
      answer: /^📝 Added to #1: “first line second line” #starter$/,
      stored: { url: "{Sourdough bread}", note: "first line\nsecond line", tags: ["starter"] }
    },
    {
      shows: "a hashtag of digits stays in the note",
      say: "{Year} #2024 was good",
      answer: /Year/,
      stored: { url: "{Year}", note: "#2024 was good", withoutTags: ["2024"] }
    },
    {
      shows: "hashtags of any script tag",
      say: "{Tea} #чай #お茶",
      answer: /Tea/,
      stored: { url: "{Tea}", note: "", tags: ["чай", "お茶"] }
    },
    {
      shows: "a caption is read like a text",
      say: "from the talk\n{Slides} #talk",
      caption: true,
      answer: /Slides/,
      stored: { url: "{Slides}", note: "from the talk", tags: ["talk"] }
    },
    {
      shows: "a label of a forwarded post is its link",
      say: "News item\nRead more",
      links: { "Read more": "{News}" },
      more: {
        forward_origin: {
          type: "channel",
          date: 1,
          message_id: 77,
          chat: { id: -1009, type: "channel", username: "daily" }
        }
      },
      answer: /News/,
      stored: { url: "{News}", note: "News item Read more\nhttps://t.me/daily/77" }
    },
    {
      shows: "a second picture of an album is not answered",
      say: "",
      more: { media_group_id: "9", photo: [{ file_id: "g", file_unique_id: "v", width: 9, height: 9 }] },
      answer: null,
      count: 8
    },
    {
      shows: "two links of one message share note and tags",
      say: "both #pair\n{One}\n{Two}",
      answer: /2 saved/,
      stored: [
        { url: "{One}", note: "both", tags: ["pair"] },
        { url: "{Two}", note: "both", tags: ["pair"] }
      ],
      count: 10
    },
    {
      shows: "an edit that takes the link out changes nothing",
      edit: "a hashtag of digits stays in the note",
      to: "was it good?",
      answer: null,
      stored: { url: "{Year}", note: "#2024 was good" },
      count: 10
    },
    {
      shows: "an edit back to the link changes its note",
      edit: "a hashtag of digits stays in the note",
      to: "{Year} was fine",
      answer: /Note updated/,
      stored: { url: "{Year}", note: "was fine" },
      count: 10
    }
  ]
}
