import type { Changed, LibraryLink, Names, Reading } from "./library.ts"
import { api } from "./platform.ts"

/** What is known of an address without sending it anywhere: the link of its page, or that it was saved from here. */
export interface Known {
  readonly link?: LibraryLink
  readonly seen?: boolean
}

/** Links that a search finds, and how many there are. */
export interface Found {
  readonly links: ReadonlyArray<LibraryLink>
  readonly total: number
}

/** What the extension's pages ask its worker, which alone speaks with the library: what they send, and the answer. */
export interface Questions {
  /** An address; answered from the list in this browser, and from the library if it is in the list. */
  readonly known: { readonly sent: string; readonly answer: Known }
  readonly search: { readonly sent: string; readonly answer: Found | undefined }
  readonly names: { readonly sent: true; readonly answer: Names | undefined }
  /** The number of a link. */
  readonly link: { readonly sent: number; readonly answer: LibraryLink | undefined }
  /** A change in the form of the service's `mutate`. */
  readonly change: { readonly sent: Readonly<Record<string, unknown>>; readonly answer: Changed }
  /** A reading token that is to be tested. */
  readonly test: { readonly sent: string; readonly answer: Reading }
}

/** Asks the worker; undefined if it cannot answer, as while the extension is updated. */
export const askWorker = <Name extends keyof Questions>(
  name: Name,
  sent: Questions[Name]["sent"]
): Promise<Questions[Name]["answer"] | undefined> =>
  api.runtime
    .sendMessage<object, Questions[Name]["answer"] | undefined>({ [name]: sent })
    .catch(() => undefined)
