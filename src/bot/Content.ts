import type { LinkId } from "../domain/Link.ts"
import type { Asked, Button } from "./Chat.ts"
import type { Html } from "./Html.ts"

/** What a message says and what can be pressed under it. */
export interface Content {
  readonly html: Html
  readonly buttons?: ReadonlyArray<ReadonlyArray<Button>>
  readonly asks?: { readonly linkId: LinkId; readonly what: Asked }
  /** The saves it tells of, where it tells of nothing else. */
  readonly saves?: ReadonlyArray<{ readonly linkId: LinkId; readonly created: boolean }>
}

/** A message in a chat. */
export interface At {
  readonly chatId: number
  readonly messageId: number
}
