import { Context, Data, type Effect } from "effect"

/** Maximum length of the address of a program's description, in characters. */
const MAX_LENGTH = 512

/** draft-ietf-oauth-client-id-metadata-document: https with a path, written as every parser writes it. */
export const isDocumentAddress = (id: string): boolean => {
  const url = id.length <= MAX_LENGTH && /^https:\/\/[\x21-\x7e]+$/.test(id) ? URL.parse(id) : null
  return (
    url !== null &&
    url.href === id &&
    url.pathname !== "/" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === ""
  )
}

export interface ClientDocument {
  readonly json: unknown
  /** How long it may be kept, in seconds, as its server says. */
  readonly maxAge: number | undefined
}

export class ClientDocumentUnread extends Data.TaggedError("ClientDocumentUnread") {}

export class ClientDocuments extends Context.Tag("ClientDocuments")<
  ClientDocuments,
  { readonly read: (address: string) => Effect.Effect<ClientDocument, ClientDocumentUnread> }
>() {}
