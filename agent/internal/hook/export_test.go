package hook

// HailLimit is how long a daemon may take for a Pong.
const HailLimit = pingLimit
