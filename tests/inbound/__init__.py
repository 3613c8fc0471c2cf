"""Mails as clients, lists, automata and attackers write them, and what is read out of them."""
