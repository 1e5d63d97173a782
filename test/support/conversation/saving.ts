import type { Script } from "./script.ts"

/** Links with notes and hashtags, and their edits. */
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
      shows: "hashtags beside a link are its tags",
      say: "{Crumb} #baking #Long_Ferment worth it",
      answer: /Crumb/,
      stored: { url: "{Crumb}", note: "worth it", tags: ["baking", "long-ferment"] },
      count: 3
    },
    {
      shows: "an edit changes the note",
      edit: "hashtags beside a link are its tags",
      to: "{Crumb} #baking #Long_Ferment well worth it",
      answer: /Note updated/,
      stored: { url: "{Crumb}", note: "well worth it" },
      count: 3
    }
  ]
}
