/** What an export for other programs tells of a link; times are ISO 8601 in UTC. */
export interface ExportedLink {
  readonly url: string
  readonly title: string
  readonly note: string
  readonly summary: string
  readonly description: string
  /** Normalised: no tag has a comma or white space in it. */
  readonly tags: ReadonlyArray<string>
  readonly category: string
  /** A collection's name. */
  readonly collection: string | null
  readonly favorite: boolean
  readonly shareable: boolean
  readonly createdAt: string
  readonly updatedAt: string
}
