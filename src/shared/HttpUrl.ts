/**
 * Whether a browser may follow an address. Addresses are checked when they are saved; this protects a page from a row
 * that was not.
 */
export const isHttpUrl = (url: string): boolean => /^https?:\/\//i.test(url)
