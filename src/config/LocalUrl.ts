/** The URL at which this machine reaches a service that listens on `host`: loopback if it listens on every address. */
export const localUrlOf = (host: string, port: number): string => {
  const bare = host.replace(/^\[(.*)\]$/, "$1")
  const name = bare === "0.0.0.0" ? "127.0.0.1" : bare === "::" ? "::1" : bare
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}
