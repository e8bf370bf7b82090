"""Colours, after Okabe and Ito's palette, which colour-blind people can tell apart; symbols say the same again."""

from subterra_env.games.subterra.terms import Caver, Kind

NIGHT = "#15171c"
ROCK = "#3a3d47"
ROCK_EDGE = "#1f2128"
INK = "#16181d"
PAPER = "#f4f1ea"
FAINT = "#8d93a1"
PANEL = "#22252d"
GOLD = "#f0e442"
WATER = "#2f8fce"
RUBBLE = "#6f6a63"
ROPE = "#7a4a17"
GAS = "#c9b800"
DANGER = "#d55e00"
SAFE = "#2fc49a"

FLOOR = {
    Kind.START: "#ffffff",
    Kind.EXIT: "#5fd3ac",
    Kind.ORDINARY: "#d9d3c7",
    Kind.WATER: "#bfe0f5",
    Kind.GAS: "#f2ebb0",
    Kind.CAVE_IN: "#edc98d",
    Kind.HORROR: "#e3b6d0",
    Kind.SQUEEZE: "#d9d3c7",
    Kind.LEDGE: "#cfd4de",
    Kind.SLIDE: "#cfd4de",
    Kind.ROUGH_TERRAIN: "#c6bda9",
}
CAVER = {
    Caver.DIVER: "#0072b2",
    Caver.SCOUT: "#009e73",
    Caver.GEOLOGIST: "#8c5a2b",
    Caver.ENGINEER: "#e69f00",
    Caver.CLIMBER: "#56b4e9",
    Caver.MEDIC: "#d55e00",
    Caver.BODYGUARD: "#4b4f9c",
    Caver.LEADER: "#cc79a7",
}
