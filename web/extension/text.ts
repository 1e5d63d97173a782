import type messages from "./_locales/en/messages.json"
import { api } from "./platform.ts"

/** The name of a text in `_locales`. */
export type TextName = keyof typeof messages

/** A text in the user's language. */
export const text = (name: TextName, ...values: ReadonlyArray<string | number>): string =>
  api.i18n.getMessage(name, values.map(String))
