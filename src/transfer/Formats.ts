import { chrome } from "./Chrome.ts"
import { firefox } from "./Firefox.ts"
import type { Format } from "./Format.ts"
import { genericCsv } from "./GenericCsv.ts"
import { genericJson, genericJsonLines } from "./GenericJson.ts"
import { karakeep } from "./Karakeep.ts"
import { linkwarden } from "./Linkwarden.ts"
import { netscape } from "./Netscape.ts"
import { oneTab } from "./OneTab.ts"
import { plainText } from "./PlainText.ts"
import { pocketCsv, pocketHtml } from "./Pocket.ts"
import { raindrop } from "./Raindrop.ts"
import {
  delicious,
  instapaper,
  linkding,
  omnivore,
  pinboard,
  readability,
  readwise,
  wallabag
} from "./Services.ts"
import { telegram } from "./Telegram.ts"

/**
 * The formats of one product each, and of files that name their own format: at most one of them recognizes a file, so
 * their order does not matter. A new one also needs a line in `test/transfer/support/samples.ts`.
 */
export const specificFormats: ReadonlyArray<Format> = [
  netscape,
  pocketHtml,
  telegram,
  chrome,
  firefox,
  karakeep,
  linkwarden,
  omnivore,
  wallabag,
  linkding,
  pinboard,
  readability,
  delicious,
  raindrop,
  pocketCsv,
  instapaper,
  readwise,
  oneTab
]

/** The formats of any program, by what they have in common. The first that recognizes a file reads it. */
export const generalFormats: ReadonlyArray<Format> = [genericJson, genericJsonLines, genericCsv]

/** All supported formats of other programs, in the order of detection: plain text is what is left. */
export const formats: ReadonlyArray<Format> = [...specificFormats, ...generalFormats, plainText]
