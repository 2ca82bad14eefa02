/**
 * Shared by the sample servers: options, threads with an event loop each, the ready line, destinations for other lines,
 * and an orderly stop.
 *
 * <p>The stop goes in three steps, each by the loop threads themselves: the listening sockets close; every connection
 * finishes what it has received; when none is left, or the grace period is over, the loops close.
 *
 * <p>No loop waits for a log. What a server prints to standard error, and its access log, is written by threads of
 * their own; lines that a full pipe, a held terminal or a full disk does not take are dropped, and their number is
 * written when it works again.
 */
package dev.sluice.samples.server;
