package dev.sluice.samples.haboob;

/** The order in which HttpSend goes on with long replies. */
enum ReplyOrder {
    /** Those with least left to send first, some of them in each iteration of the loop. */
    SIZE,
    /** None: each goes on as soon as its client takes something. */
    NONE
}
