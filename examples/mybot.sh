#!/bin/sh
# A bot of your own in nothing but a POSIX shell: a View a line in, a Move a line out.  See docs/programs.md.
#
#     flipdeck play --text --bot 'cmd:./examples/mybot.sh'
#
# What it echoes is taken for its move; echo ... >&2 is for you.

set -f # a card may be written ?/O1: no name of a file

# The face of card $1 that is in play, in $face.
face_of() {
    face=${1%!}
    face=${face%=?}
    case $side in
    light) face=${face%/*} ;;
    *) face=${face#*/} ;;
    esac
}

# The color that the hand holds most of, in $favorite.
find_favorite() {
    hand=${view#*'"hand": ['}
    hand=${hand%%]*}
    most=0
    for color in R Y G B P O T V; do
        count=0
        IFS=', "'
        for card in $hand; do
            face_of "$card"
            case $face in "$color"*) count=$((count + 1)) ;; esac
        done
        unset IFS
        if [ "$count" -gt "$most" ]; then
            most=$count favorite=$color
        fi
    done
}

# How much we like move $1, in $worth.
judge() {
    case $1 in
    uno) worth=99 ;; # better late than caught
    catch\ *) worth=90 ;;
    */*) judge_play "$1" ;;
    "color $favorite") worth=2 ;;
    draw | keep | accept | color\ *) worth=1 ;;
    *) worth=0 ;; # we never challenge, and the text between two moves is no move
    esac
}

judge_play() {
    face_of "$1"
    case $face in
    W*) worth=10 ;; # a wild can always be played later
    "$favorite"*) worth=40 ;;
    *) worth=30 ;;
    esac
    case $1 in *="$favorite"*) worth=$((worth + 5)) ;; esac
    case $1 in *!) worth=$((worth + 1)) ;; esac # UNO, where it is due
}

while IFS= read -r view; do
    case $view in
    *'"side": "light"'*) side=light ;;
    *) side=dark ;;
    esac
    favorite=
    find_favorite
    best=pass best_worth=0
    legal=${view##*'"legal": ['}
    IFS='"' # every second word is a move
    for move in ${legal%%]*}; do
        unset IFS
        judge "$move"
        if [ "$worth" -gt "$best_worth" ]; then
            best=$move best_worth=$worth
        fi
    done
    unset IFS
    echo "$best"
done
