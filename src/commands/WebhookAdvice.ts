/** What the platform says of a webhook, as far as it is known, and what a person can do about it. */
const known: ReadonlyArray<readonly [said: RegExp, advice: string]> = [
  [
    /\b403\b/,
    "The secret it sends is not WEBHOOK_SECRET, or something in front of Linkbower refuses it. Run `linkbower webhook set` where the service has its settings."
  ],
  [
    /\b(401|302|303|307|308)\b|redirect/i,
    "Something in front of Linkbower asks for a login: let /webhook pass there without one. The secret is its gate."
  ],
  [
    /\b404\b/,
    "Nothing answers at that path: the address must end in /webhook and lead to Linkbower, not to another site."
  ],
  [
    /\b(400|405|411|415)\b/,
    "The request arrives changed: a proxy must pass on POST requests, their headers and bodies as they are."
  ],
  [/\b413\b/, "A proxy in front of Linkbower takes too small a body: allow at least 1 MB."],
  [/\b429\b/, "Something in front of Linkbower limits requests: leave /webhook out of that limit."],
  [
    /\b(502|504|52\d|530)\b/,
    "The proxy or tunnel does not reach Linkbower: see that the service runs, and that the proxy's target is its HOST and PORT."
  ],
  [
    /\b503\b/,
    "Linkbower could not keep the update (its disk is full, or its database is busy), or the proxy found no service. Telegram sends it again; the service's log says more."
  ],
  [/\b5\d\d\b/, "Linkbower, or what stands in front of it, failed: the service's log says more."],
  [
    /refused/i,
    "Nothing listens at that address and port: start the proxy or tunnel, and open the port in the firewall."
  ],
  [
    /timed? ?out|timeout/i,
    "The address does not answer in time: see that it is reached from the internet, and that no firewall drops Telegram's requests."
  ],
  [
    /resolve|name or service|nodename|dns/i,
    "The host name of the address is not found: see its DNS record, which takes a while to be known everywhere."
  ],
  [
    /reserved|private|ip address/i,
    "The host name leads to an address inside a network, which Telegram does not call: give it one on the internet, or use a tunnel."
  ],
  [
    /ssl|tls|certificate/i,
    "The certificate does not hold: it must be for this host name, not be over, and come with its whole chain."
  ],
  [/https url must be provided/i, "Telegram calls https addresses alone."],
  [/ports? 80/i, "Telegram calls the ports 443, 80, 88 and 8443 alone."],
  [
    /reset|closed|broken pipe|unexpected(ly)? (response|end)|network is unreachable|no route/i,
    "The connection breaks: see the proxy or tunnel, and that it speaks https at that port."
  ],
  [
    /unauthorized|^not found$/i,
    "TELEGRAM_BOT_TOKEN is no bot's token, or no longer: @BotFather shows the right one."
  ],
  [
    /terminated by other|conflict/i,
    "Another program fetches this bot's updates: stop it, or use a bot of its own for it."
  ]
]

/** What to do about a failure of the webhook that the platform tells in these words. */
export const adviceOn = (said: string): string =>
  known.find(([words]) => words.test(said))?.[1] ??
  "This is not a failure Linkbower knows: the log of what stands in front of it may say more."
