/** Whether only the device itself can reach the address, such as `http://localhost:8080/`. */
export const isOfThisDevice = (address: string): boolean =>
  /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(address)?.hostname ?? "")

export const ONLY_HERE =
  "Only this device can open this address. For other devices, set PUBLIC_URL to an address that they can reach."
