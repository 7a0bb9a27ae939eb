"""Tables that are dealt by hand: the dealers who come and go, and the cards that readers send."""
