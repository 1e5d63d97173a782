declare module "*.bin" {
  const path: string
  export default path
}

declare module "*.zst" {
  const path: string
  export default path
}

declare module "*.wasm" {
  const path: string
  export default path
}

declare module "html-encoding-sniffer" {
  /** The encoding of an HTML page by its byte order mark, its header or its markup, in that order. */
  export default function sniffEncoding(
    bytes: Uint8Array,
    options: {
      /** The `charset` of the content type; undefined if it has none. */
      readonly transportLayerEncodingLabel: string | undefined
      /** How much of the page is searched for a declaration, in bytes. */
      readonly maxPrescanBytes: number
      /** Returned if the page declares nothing. */
      readonly defaultEncoding: string
    }
  ): string
}
