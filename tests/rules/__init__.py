"""One scenario test for every sentence of the rulebook that can be seen in play."""
