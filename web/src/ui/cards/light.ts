/** How a card is shown once a round is over: part of the hand's name, in play, or out of play. */
export type Light = "lit" | "plain" | "dim";
