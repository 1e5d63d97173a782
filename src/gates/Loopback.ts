import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

/** Whether only this machine itself reaches the host: `localhost`, 127.0.0.0/8 and ::1, in brackets or not. */
export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1")
  return name === "localhost" || (isIP(name) !== 0 && ipaddr.process(name).range() === "loopback")
}
